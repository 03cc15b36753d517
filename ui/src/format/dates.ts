/** Days and times as they are written in English. */
export interface Dates {
  format: (at: number | Date) => string;
}

/** The system's words for days and times are made when they are first needed: each way to write them takes it some ms. */
export function dates(options: Intl.DateTimeFormatOptions): Dates {
  let made: Intl.DateTimeFormat | undefined;
  return { format: (at) => (made ??= new Intl.DateTimeFormat("en-GB", options)).format(at) };
}
