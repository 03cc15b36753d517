import css from "./FilterBar.module.css";

interface Props {
  label: string;
  /** Each value with what is said of it. */
  options: readonly (readonly [value: string, word: string])[];
  value: string;
  /** What is said of a value that is none of these. */
  other?: string;
  onChange: (value: string) => void;
}

/** One of a few, above a list. */
export function Choice({ label, options, value, other = value, onChange }: Props) {
  const isKnown = options.some(([known]) => known === value);
  return (
    <select className={css.choice} aria-label={label} title={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {!isKnown && <option value={value}>{other}</option>}
      {options.map(([key, word]) => (
        <option key={key} value={key}>
          {word}
        </option>
      ))}
    </select>
  );
}
