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

interface ChipsProps {
  texts: readonly string[];
  label: (text: string) => string;
  /** Takes the number of the one that was pressed. */
  onDrop: (index: number) => void;
}

/** Several of them. */
export function Chips({ texts, label, onDrop }: ChipsProps) {
  // The same text may stand there twice, and none moves.
  return texts.map((text, index) => <Chip key={`${index} ${text}`} text={text} label={label(text)} onDrop={() => onDrop(index)} />);
}
