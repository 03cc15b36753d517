import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

// Imports go one way: app → features → all else.
const shell = { group: ["@tauri-apps/*"], message: "Only src/host knows the shell." };
const app = { regex: "(^|/)app/", message: "app/ puts the window together: nothing below it knows it." };
const features = { regex: "(^|/)features/", message: "Only app/ and features/ know the features." };
const not = (...patterns) => ({ "no-restricted-imports": ["error", { patterns }] });
const noRawHtml = {
  selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  message: "Server text is text, never markup.",
};

// Every word that people read is in src/strings.
const catalogue = "The words that people read are in src/strings.";
const words = [
  { selector: "JSXText[value=/[A-Za-z]{2}/]", message: catalogue },
  { selector: "Literal[value=/^(?!BUG: ).*[a-z]{2} [a-z]{2}/]", message: catalogue },
  { selector: "TemplateElement[value.raw=/[a-z]{2} [a-z]{2}/]", message: catalogue },
  { selector: "JSXAttribute[name.name=/^(aria-label|alt|hint|label|placeholder|title)$/] > Literal[value=/[A-Za-z]{2}/]", message: catalogue },
  { selector: "Property[key.name='word'] > Literal", message: catalogue },
];

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/generated"] },
  tseslint.configs.strictTypeChecked,
  jsxA11y.flatConfigs.strict,
  reactHooks.configs.flat.recommended,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...not(shell),
      "no-restricted-syntax": ["error", noRawHtml],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  { files: ["src/*/**"], ignores: ["src/app/**", "src/features/**"], rules: not(shell, app, features) },
  { files: ["src/features/**"], rules: not(shell, app) },
  { files: ["src/host/**"], rules: not(app, features) },
  // A test may render the window as a whole.
  { files: ["**/*.test.ts", "**/*.test.tsx"], rules: not(shell) },
  {
    files: ["src/**"],
    ignores: ["src/strings/**", "src/test/**", "**/*.test.ts", "**/*.test.tsx", "**/samples.ts", "**/samples.tsx"],
    rules: { "no-restricted-syntax": ["error", noRawHtml, ...words] },
  },
  { files: ["**/*.js"], extends: [tseslint.configs.disableTypeChecked] },
);
