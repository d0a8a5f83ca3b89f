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
    // A reply that an older panel stored may lack a field. In a union, fields tell the kinds apart.
    override: ({ jsonSchema, path }) => {
      if (!path.includes('anyOf') && !path.includes('oneOf')) delete jsonSchema.required;
    },
  });
  return fastJson(json as fastJson.Schema);
}

/**
 * Fastify's own serializer for a schema of zod. It writes declared fields only, whatever else a database row contains.
 * The first response compiles it: compiling all would take a third of a second at each start.
 */
export function serializerOf(schema: z.ZodType): Serialize {
  let serialize: Serialize | undefined;
  return (value) => {
    serialize ??= compile(schema);
    return serialize(value ?? null);
  };
}
