import * as z from 'zod';

type Write = (value: unknown) => string;

/** As text, so much goes out in one piece with the headers; beyond that, bytes are sent faster. */
const MOST_SENT_WITH_HEADERS = 4096;
/** Text in which no character needs escaping. */
const PLAIN = /^[ !#-[\]-~]*$/;
const NOT_ASCII = /[^\x20-\x7e]/g;

/** Cache of the last escaped text, because a page repeats the same password mask in each line. */
let escaped = { text: '', json: '""' };

/**
 * Writes characters beyond ASCII as \uXXXX: V8 stores a string without any in one byte per
 * character, which is copied to the connection as it is. A few bullets of a masked password would
 * double the memory of the whole reply and make sending it eight times slower.
 */
const inAscii = (json: string): string =>
  json.replace(NOT_ASCII, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

function writeText(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (text === escaped.text) return escaped.json;
  const json = inAscii(JSON.stringify(text));
  escaped = { text, json };
  return json;
}

const writeAny: Write = (value) => {
  if (typeof value === 'string') return writeText(value);
  return typeof value === 'object' ? inAscii(JSON.stringify(value)) : JSON.stringify(value);
};

function objectWriter(schema: z.ZodObject): Write {
  const fields = Object.entries(schema.shape).map(([name, field]) => ({
    name,
    key: `${inAscii(JSON.stringify(name))}:`,
    write: writerOf(field as z.ZodType),
  }));
  return (value) => {
    const holder = value as Record<string, unknown>;
    let json = '';
    for (const { name, key, write } of fields) {
      const held = holder[name];
      if (held === undefined) continue;
      json += `${json === '' ? '' : ','}${key}${held === null ? 'null' : write(held)}`;
    }
    return `{${json}}`;
  };
}

function arrayWriter(schema: z.ZodArray): Write {
  const write = writerOf(schema.element as z.ZodType);
  /** The text of the last frozen list, because all lines of a page share one list. */
  let frozen: { list: unknown; json: string } = { list: null, json: '' };
  return (value) => {
    if (value === frozen.list) return frozen.json;
    const items = (value as unknown[]).map((item) =>
      item === null || item === undefined ? 'null' : write(item),
    );
    const json = `[${items.join()}]`;
    if (Object.isFrozen(value)) frozen = { list: value, json };
    return json;
  };
}

const isPlainKind = (schema: z.ZodType) =>
  schema instanceof z.ZodString ||
  schema instanceof z.ZodStringFormat ||
  schema instanceof z.ZodEnum ||
  schema instanceof z.ZodNumber ||
  schema instanceof z.ZodBoolean ||
  schema instanceof z.ZodLiteral;

function writerOf(schema: z.ZodType): Write {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return writerOf(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodObject && !schema.def.catchall) return objectWriter(schema);
  if (schema instanceof z.ZodArray) return arrayWriter(schema);
  if (isPlainKind(schema)) return writeAny;
  // Other types, such as unions, are encoded by zod.
  return (value) => writeAny(z.encode(schema, value as never));
}

/**
 * Compiles a writer for a schema. It writes declared fields only, whatever else a database row
 * contains; the compiler has checked their types.
 */
export function jsonWriter(schema: z.ZodType): (value: unknown) => string | Buffer {
  const write = writerOf(schema);
  return (value) => {
    const json = value === null || value === undefined ? 'null' : write(value);
    return json.length > MOST_SENT_WITH_HEADERS ? Buffer.from(json, 'latin1') : json;
  };
}
