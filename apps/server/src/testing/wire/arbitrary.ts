import fc from 'fast-check';
import * as z from 'zod';

/** The parts of JSON Schema that the contract's schemas use. */
interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  format?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', ' ', '\0', '\ud800', '‮', "' or 1=1 --", '%', '\\', '../../x', '{}', '[]'),
  fc.constantFrom(
    'active',
    'x'.repeat(5000),
    '1e309',
    'NaN',
    '__proto__',
    '2026-02-30',
    '31-12-2099',
  ),
);
const number = fc.oneof(
  fc.integer({ min: -5, max: 130 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 65_535, 65_536, 2 ** 31, 2 ** 53, -1, 1e308),
);
/** An arbitrary JSON value, of any type. */
const junk = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 4 }));

const byFormat: Record<string, fc.Arbitrary<unknown>> = {
  uuid: fc.uuid(),
  guid: fc.uuid(),
  email: fc.emailAddress(),
  uri: fc.webUrl(),
};

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map(fitting));
  switch (schema.type) {
    case 'string':
      return byFormat[schema.format ?? ''] ?? fc.string({ minLength: 1, maxLength: 30 });
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.ceil(schema.minimum ?? 0),
        max: Math.min(schema.maximum ?? 200, 1e9),
      });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(schema.items ?? {}), { maxLength: 6 });
    case 'object':
      return fields(schema);
    default:
      return junk;
  }
}

/** Objects with mostly valid fields; some are invalid, missing or unknown. */
function fields({ properties = {}, required = [] }: Schema): fc.Arbitrary<object> {
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      fc.oneof({ weight: 8, arbitrary: fitting(schema) }, { weight: 2, arbitrary: junk }),
    ]),
  );
  const complete = fc.record(known, { requiredKeys: required });
  const loose = fc.record(known, { requiredKeys: [] });
  return fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: complete }, { weight: 1, arbitrary: loose }),
      fc.oneof(
        { weight: 6, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 12 }), junk, { maxKeys: 3 }) },
      ),
    )
    .map(([one, more]) => ({ ...more, ...one }));
}

function describe(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
}

/** A few fields of a schema, nearly always valid. */
function someFields({ properties = {} }: Schema): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .subarray(Object.keys(properties), { maxLength: Math.min(3, Object.keys(properties).length) })
    .chain((names) =>
      fc.record(
        Object.fromEntries(
          names.map((name) => [
            name,
            fc.oneof(
              { weight: 4, arbitrary: fitting(properties[name] ?? {}) },
              { weight: 1, arbitrary: junk },
            ),
          ]),
        ),
      ),
    );
}

/** Bodies for `schema`: valid ones with some fields changed, random ones, and any JSON. */
export function bodiesFor(schema: z.ZodType, makeSound: () => object): fc.Arbitrary<unknown> {
  const described = describe(schema);
  return fc.oneof(
    {
      weight: 12,
      arbitrary: someFields(described).map((change) => ({ ...makeSound(), ...change })),
    },
    { weight: 6, arbitrary: fitting(described) },
    { weight: 1, arbitrary: junk },
  );
}

/** Query strings for `schema`, including `?`; empty if the endpoint takes none. */
export function queriesFor(schema: z.ZodType | undefined): fc.Arbitrary<string> {
  if (!schema) return fc.constant('');
  const described = describe(schema);
  const given = fc.oneof(
    { weight: 4, arbitrary: someFields(described) },
    { weight: 1, arbitrary: fields(described) },
  );
  return given.map((values) => {
    const pairs = Object.entries(values).flatMap(([name, value]) => {
      const texts = Array.isArray(value) ? value : [value];
      return texts.map((one): [string, string] => [
        name,
        typeof one === 'string' ? one : JSON.stringify(one),
      ]);
    });
    return `?${new URLSearchParams(pairs)}`.slice(0, 8000);
  });
}
