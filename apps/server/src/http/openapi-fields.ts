import { fieldTexts, mailTexts } from './field-texts.ts';

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** Text of the documentation about a field of a call or of a named schema. */
export function textOf(path: string, name: string): string | undefined {
  return fieldTexts[`${path}.${name}`] ?? fieldTexts[name];
}

/** Objects whose fields are of one kind, by the name of the object. */
const groups: Record<string, (name: string) => string | undefined> = {
  mails: (name) => mailTexts[name],
  lists: (name) => `How the list of ${name.replaceAll('_', ' ')} is shown`,
};

const groupless = (path: string) => (path in groups ? '' : path);

/** Describes the fields of a schema, however deep. What a saved view holds is said with the view. */
export function describeFields(schema: Schema, path: string): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const text = groups[path]?.(name) ?? textOf(path, name);
    if (text && !field.description) field.description = text;
    if (name !== 'search') describeFields(field, name in groups ? name : groupless(path));
  }
  const { items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  if (items) describeFields(items, path);
  if (typeof additionalProperties === 'object') describeFields(additionalProperties, path);
  for (const part of [...anyOf, ...oneOf, ...allOf]) describeFields(part, path);
}
