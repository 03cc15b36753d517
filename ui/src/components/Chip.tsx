import css from "./Chip.module.css";
import { ServerWord } from "./ServerText";

interface Props {
  text: string;
  /** What a press does, in words. */
  label: string;
  onDrop: () => void;
}

/** Something that narrows a list, until it is pressed. */
export function Chip({ text, label, onDrop }: Props) {
  return (
    <button type="button" className={css.chip} aria-label={label} title={label} onClick={onDrop}>
      <ServerWord text={text} />
      <span aria-hidden="true">×</span>
    </button>
  );
}
