import { Button } from "../../components/Button";
import { t } from "../../strings";
import css from "./ServerForm.module.css";

interface Props {
  /** What has to be given again. */
  missing?: string | undefined;
  onStartOver: () => void;
}

/** Says that a form is as it was left, and begins it anew. */
export function LeftNote({ missing, onStartOver }: Props) {
  return (
    <p className={css.kept} role="status">
      {t.servers.left.kept} {missing !== undefined && `${missing} `}
      <Button look="quiet" onClick={onStartOver}>
        {t.servers.left.startOver}
      </Button>
    </p>
  );
}
