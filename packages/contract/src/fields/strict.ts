import * as z from 'zod';

type Definition = Record<string, unknown> & { type: string };

/** Properties of a zod definition with a single inner schema; `lists` has those with an array. */
const alone = ['innerType', 'element', 'in', 'out', 'left', 'right', 'valueType'] as const;
const lists = ['options', 'items'] as const;

const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType;

function strictParts(definition: Definition): Record<string, unknown> {
  const parts: Record<string, unknown> = {};
  for (const name of alone) {
    const inner = definition[name];
    if (isSchema(inner)) parts[name] = strict(inner);
  }
  for (const name of lists) {
    const inner = definition[name];
    if (Array.isArray(inner) && inner.every(isSchema)) parts[name] = inner.map(strict);
  }
  if (definition.type === 'object') {
    const shape = Object.entries(definition.shape as Record<string, z.ZodType>);
    parts.shape = Object.fromEntries(shape.map(([name, field]) => [name, strict(field)]));
    parts.catchall = definition.catchall ?? z.never();
  }
  return parts;
}

/**
 * A copy of the schema in which every object refuses unknown fields. Otherwise a misspelt field
 * would be dropped silently, and the call would have another effect.
 */
export function strict<Schema extends z.ZodType>(schema: Schema): Schema {
  const definition = schema._zod.def as unknown as Definition;
  const parts = strictParts(definition);
  const isSame = Object.entries(parts).every(([name, part]) => {
    const before = definition[name];
    return Array.isArray(part) && Array.isArray(before)
      ? part.every((one, index) => one === before[index])
      : part === before;
  });
  return isSame ? schema : z.core.clone(schema, { ...definition, ...parts } as never);
}
