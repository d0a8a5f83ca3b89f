import fastJson from 'fast-json-stringify';
import * as z from 'zod';

type Serialize = (value: unknown) => string;

/** An empty registry, so that schemas are written in place, without references to named ones. */
const noNames = z.registry<object>();

function compile(schema: z.ZodType): Serialize {
  const json = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'input',
    unrepresentable: 'any',
    metadata: noNames,
    // A reply that an older panel stored may lack a field, so no field is required, except in a
    // union, whose kinds are recognised by fields.
    override: ({ jsonSchema, path }) => {
      if (!path.includes('anyOf') && !path.includes('oneOf')) delete jsonSchema.required;
    },
  });
  return fastJson(json as fastJson.Schema);
}

/**
 * Fastify's own serializer for a schema of zod. It writes declared fields only, even if a database row contains more.
 * The first response compiles it, because compiling all would take a third of a second at each start.
 */
export function serializerOf(schema: z.ZodType): Serialize {
  let serialize: Serialize | undefined;
  return (value) => {
    serialize ??= compile(schema);
    return serialize(value ?? null);
  };
}
