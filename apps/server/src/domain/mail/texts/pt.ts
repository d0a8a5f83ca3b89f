import type { MailTexts } from './mail-kinds.ts';

export const pt: MailTexts = {
  confirm_email: ({ link, name }, site_name) => ({
    subject: 'Confirmação do endereço de e-mail',
    text: `Boas-vindas a ${site_name}.
${name && `Nome indicado no registo: ${name}\n`}
Para confirmar o endereço de e-mail, abra este link:
${link}

Se o abrir num navegador diferente daquele em que se registou, introduza a palavra-passe que escolheu.
O link funciona durante uma hora. Depois disso, inicie sessão com a palavra-passe para receber outro.
Se o registo não foi feito por si, ignore esta mensagem.
`,
  }),
  reset_password: ({ link, email }, site_name) => ({
    subject: 'Definição de uma nova palavra-passe',
    text: `Foi pedida uma nova palavra-passe para a conta ${email} em ${site_name}.

Para a definir, abra este link:
${link}

O link funciona uma só vez, durante uma hora, e deixa de funcionar se for criado outro mais recente.
Se não foi pedida por si, ignore esta mensagem. A palavra-passe mantém-se.
`,
  }),
  confirm_new_email: ({ link }, site_name) => ({
    subject: 'Confirmação do novo endereço de e-mail',
    text: `Para passar a iniciar sessão em ${site_name} com este endereço, abra este link:
${link}

O link funciona durante uma hora. Até lá, mantém-se o endereço anterior.
Se isto não partiu de si, ignore esta mensagem.
`,
  }),
  email_change_asked: ({ new_email }) => ({
    subject: 'O endereço de e-mail vai ser alterado',
    text: `Foi pedida a alteração do endereço de e-mail desta conta para ${new_email}.
O endereço muda assim que o novo for confirmado.

Se isto não partiu de si, altere já a palavra-passe: isso cancela a alteração.
`,
  }),
  email_changed: ({ new_email }) => ({
    subject: 'O endereço de e-mail foi alterado',
    text: `O endereço de e-mail da conta é agora ${new_email}. A partir de agora, inicie sessão com ele.

Se a alteração não foi feita por si, avise de imediato o administrador.
`,
  }),
  two_factor_on: () => ({
    subject: 'A autenticação de dois fatores foi ativada',
    text: `Para iniciar sessão na conta é agora necessário um código, além da palavra-passe.

Se a alteração não foi feita por si, avise de imediato o administrador.
`,
  }),
  two_factor_off: () => ({
    subject: 'A autenticação de dois fatores foi desativada',
    text: `Para iniciar sessão na conta basta agora a palavra-passe.

Se a alteração não foi feita por si, altere já a palavra-passe e volte a ativar a autenticação de dois fatores.
`,
  }),
  two_factor_removed: () => ({
    subject: 'Um administrador desativou a autenticação de dois fatores',
    text: `Um administrador desativou a autenticação de dois fatores da sua conta e terminou todas as sessões.
Para iniciar sessão basta agora a palavra-passe.

Se a alteração partiu de si, inicie sessão e volte a ativar a autenticação de dois fatores com o novo telemóvel.
Se não foi, altere já a palavra-passe e avise de imediato o administrador.
`,
  }),
  contact_answer: ({ name, subject, message, answer }, site_name) => ({
    subject: `Re: ${subject}`,
    text: `Olá, ${name},

Resposta de ${site_name}:

${answer}

Mensagem enviada:

${message}
`,
  }),
  notice: ({ title, content, link, is_conversation }) => ({
    subject: title,
    text: `${content}

${is_conversation ? 'Ninguém lê as respostas a esta mensagem. Responda no painel:\n' : ''}${link}

Mensagens como esta podem ser desativadas nas definições.
`,
  }),
};
