/** Kinds of subjects in the audit log. They have their own file, because browsers need them at their start. */
export const auditSubjects = [
  'line',
  'account',
  'group',
  'server',
  'job',
  'code',
  'activationcode',
  'package',
  'topup',
  'contact',
  'article',
  'message',
  'ticket',
  'cannedreply',
  'plan',
  'pricelist',
  'panel',
] as const;
export type AuditSubject = (typeof auditSubjects)[number];
