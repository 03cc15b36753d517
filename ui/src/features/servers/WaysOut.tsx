import { Button } from "../../components/Button";
import { t } from "../../strings";
import css from "./ServerForm.module.css";

interface Props {
  /** The header's or variable's name. */
  name: string;
  onPlain: () => void;
  onEnv: (variable: string) => void;
  onPlace: () => void;
}

/** What can be done about a value that cannot be kept as a secret. */
export function WaysOut({ name, onPlain, onEnv, onPlace }: Props) {
  // A header's name is no variable's.
  const variable = name.trim().replace(/\W/g, "_").toUpperCase();
  return (
    <div className={css.ways}>
      <Button onClick={() => onEnv(variable)}>{t.servers.ways.env}</Button>
      <Button onClick={onPlain}>{t.servers.ways.plain}</Button>
      <Button onClick={onPlace}>{t.servers.ways.place}</Button>
    </div>
  );
}
