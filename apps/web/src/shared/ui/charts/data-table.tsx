import type { ReactNode } from 'react';
import styles from './data-table.module.css';

export interface TableOfData {
  /** The first column names the row; the others are numbers. */
  columns: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** The numbers of a chart. Scrolls by itself, so that the page stays as long as with the chart. */
export function DataTable({ label, columns, rows }: TableOfData & { label: string }) {
  const name = `${label}: ${columns.join(', ')}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={styles.scrolled} aria-label={name} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [of, ...values] }) => (
            <tr key={key}>
              <th scope="row">{of}</th>
              {values.map((value, index) => (
                <td key={columns[index + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
