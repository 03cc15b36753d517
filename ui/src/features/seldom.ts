/** What is seldom shown, and too small for a script of its own: one script for all of it (`components/later.tsx`). */
export { FilterRules } from "./filter/FilterRules";
export { HelpKeys } from "./help/HelpKeys";
export { UnlockDialog } from "./secrets/UnlockDialog";
export { StartPlace } from "./start/StartPlace";
export { ColumnsDialog } from "./tasks/ColumnsDialog";
export { SeveralDialog } from "./tasks/SeveralDialog";
export { ViewDialog } from "./tasks/ViewDialog";
