import { createPlan, type Plan, type PlanServer } from '@linekeeper/contract/credits/plans.ts';
import { cccamRights, oscamRights } from '@linekeeper/contract/servers/rights.ts';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod';
import { changedFields } from '#kit/forms/changed-fields.ts';

/** The choice that leaves a right to the card server. */
export const AS_IT_IS = 'as_it_is';

const { name, description, is_offered, serves } = createPlan.body.shape;
const rights = oscamRights.shape;

/** Rights for OSCam as they are entered; an empty field leaves the right to the card server. */
const enteredOscam = z.object({
  group: rights.group.nullable(),
  services: rights.services.nullable(),
  caid: rights.caid.nullable(),
  ident: rights.ident.nullable(),
  uniq: z.string(),
  max_connections: rights.max_connections.nullable(),
  cccmaxhops: rights.cccmaxhops.nullable(),
  cccreshare: rights.cccreshare.nullable(),
});

const enteredServer = z.object({
  server_id: z.string(),
  oscam: enteredOscam,
  /** The options of the F line; null if the plan sets none. */
  cccam: cccamRights.extend({ limits: cccamRights.shape.limits.nullable() }).nullable(),
});
export type EnteredServer = z.input<typeof enteredServer>;

export const planForm = z.object({
  name,
  description,
  is_offered: is_offered.unwrap(),
  serves: serves.unwrap(),
  servers: z.array(enteredServer),
  /** The place of the plan among all plans, counted from 1. */
  place: z.string(),
});
export type EnteredPlan = z.input<typeof planForm>;
export type PlanFormOf = UseFormReturn<EnteredPlan, unknown, z.output<typeof planForm>>;

/** The fields of a server, filled with the rights of its lines. */
export function enteredRights({ server_id, oscam = {}, cccam }: PlanServer): EnteredServer {
  const { uniq } = oscam;
  return {
    server_id,
    oscam: {
      group: oscam.group ?? null,
      services: oscam.services ?? null,
      caid: oscam.caid ?? null,
      ident: oscam.ident ?? null,
      uniq: uniq === undefined ? AS_IT_IS : String(uniq),
      max_connections: oscam.max_connections ?? null,
      cccmaxhops: oscam.cccmaxhops ?? null,
      cccreshare: oscam.cccreshare ?? null,
    },
    cccam: cccam ? { ...cccam, limits: cccam.limits ?? null } : null,
  };
}

export function enteredPlan(plan: Plan, place: number): EnteredPlan {
  return {
    name: plan.name,
    description: plan.description ?? '',
    is_offered: plan.is_offered,
    serves: plan.serves,
    servers: plan.servers.map(enteredRights),
    place: String(place),
  };
}

/** Removes fields without a value, which leave a right to the card server. */
const said = <Fields extends object>(fields: Fields) => {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
};

function serverOf({ server_id, oscam, cccam }: z.output<typeof enteredServer>): PlanServer {
  const uniq = oscam.uniq === AS_IT_IS ? null : Number(oscam.uniq);
  const rightsOf = { oscam: said({ ...oscam, uniq }), cccam: cccam && said(cccam) };
  return { server_id, ...said(rightsOf) };
}

/** The body of the request for the entered plan, without its place, which is saved separately. */
export function bodyOf({ place, servers, ...fields }: z.output<typeof planForm>) {
  return { ...fields, servers: servers.map(serverOf) };
}

/** The changes that saving the entered plan would make; undefined while a field is invalid. */
export function changesOf(plan: Plan, entered: unknown) {
  const parsed = planForm.safeParse(entered);
  if (!parsed.success) return undefined;
  const body = bodyOf(parsed.data);
  return changedFields(body, body, bodyOf(planForm.parse(enteredPlan(plan, 1))));
}
