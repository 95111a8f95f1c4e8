// The editor of the configuration: what is wrong and what may be written there are answers of the module.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, defaultHighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";

/** An editor that shows one of several files. */
export class Editor {
  /** `changed` is called with the text after an edit, `complete` with the text and a position for what fits there. */
  constructor(parent, { changed, complete }) {
    this.states = new Map();
    const source = async (context) => {
      if (!context.explicit && !context.matchBefore(/[\w."=]\s?/)) return null;
      const { doc } = context.state, { pos } = context;
      const { from, options } = await complete(doc.toString(), pos);
      const isQuote = (place) => doc.sliceString(place, place + 1) === '"';
      if (!isQuote(from)) return { from, options, validFor: /^[\w.]*$/ };
      // Behind a quote, quotes belong to the words: one that closes them is there already.
      const quoted = options.map((option) => ({ ...option, label: option.apply, displayLabel: option.label }));
      return { from, to: isQuote(pos) ? pos + 1 : pos, options: quoted, validFor: /^"[\w.]*"?$/ };
    };
    this.extensions = [
      lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(),
      autocompletion({ override: [source] }),
      StreamLanguage.define(toml), syntaxHighlighting(defaultHighlightStyle),
      keymap.of([
        ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap,
      ]),
      EditorView.contentAttributes.of({ "aria-label": "Configuration in TOML", tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !this.quiet) changed(update.state.doc.toString());
      }),
    ];
    this.view = new EditorView({ parent });
    // Messages take room, and the cursor must stay in sight.
    new ResizeObserver(() => {
      const { head } = this.view.state.selection.main;
      if (this.view.hasFocus) this.view.dispatch({ effects: EditorView.scrollIntoView(head) });
    }).observe(parent);
  }

  /** Shows a text; the history of edits is that of the name. */
  open(name, text) {
    if (this.name) this.states.set(this.name, this.view.state);
    const before = this.states.get(name);
    this.name = name;
    const same = before && before.doc.toString() === text;
    this.view.setState(same ? before : EditorState.create({ doc: text, extensions: this.extensions }));
  }

  /** Forgets all files. */
  clear() {
    this.states.clear();
    this.name = undefined;
  }

  /** Shows messages, each `{ line, column, length, message }` with numbers from 1; without a line, at the first one. */
  mark(messages) {
    const { doc } = this.view.state;
    const diagnostics = messages.map(({ line, column, length, message, severity = "error" }) => {
      const place = doc.line(Math.min(line ?? 1, doc.lines));
      const from = Math.min(place.from + (column ?? 1) - 1, place.to);
      const to = length ? Math.min(from + length, place.to) : place.to;
      return { from, to, severity, message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Puts the cursor at a line. */
  go(line) {
    const { doc } = this.view.state;
    const { from } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.focus();
  }

  /** Takes the keyboard; the tab key leaves again. */
  focus() {
    this.view.focus();
  }
}
