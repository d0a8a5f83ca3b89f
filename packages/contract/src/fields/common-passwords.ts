/**
 * The most common passwords, in lower case, without those of fewer than 8 characters, which are refused in any case.
 */
export const commonPasswords: readonly string[] =
  `12345678 123456789 1234567890 password password1 password12 password123 passw0rd p@ssw0rd
    qwertyui qwerty123 qwertyuiop 1q2w3e4r 1qaz2wsx abc12345 abcd1234 iloveyou sunshine princess
    football baseball superman trustno1 welcome1 welcome123 letmein1 admin123 admin1234 administrator
    changeme 11111111 00000000 88888888 87654321 123123123 12341234 qazwsxedc asdfghjkl zxcvbnm1
    monkey123 dragon123 master123 linekeeper linekeeper1`.split(/\s+/);
