/** The bytes of a text, one latin1 character each: names and passwords as they stand in files. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

export function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
