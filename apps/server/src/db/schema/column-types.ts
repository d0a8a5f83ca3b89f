import type { ColumnType } from 'kysely';

/** A timestamp: read as a Date, written as a Date or left to the default now(). */
export type Moment = ColumnType<Date, Date | undefined, Date>;
export type OptionalMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
/** A jsonb column: read parsed, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>;
export type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
