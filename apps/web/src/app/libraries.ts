// An empty module in the output file of the libraries: entry.ts imports it to evaluate that file first.
export {};
