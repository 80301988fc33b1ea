// Every word the interface says, by key, in English; the host sends the user's language over it.
//
// {name} in a text is filled in. A text that counts has one key per plural category of the language (".one",
// ".other", and where the language has them ".zero", ".two", ".few", ".many"); ".other" stands in for a
// missing one.

/** The English texts by key. */
export const english = {
  "browser.questions": "Questions",
  "browser.history": "History",
  "browser.asked": "Asked in {folder}",
  "browser.notify": "Notify Me",
  "browser.lost": "There is no connection to Followup. What you write is kept here until there is one again.",
  "browser.refused":
    "This page may not come in. Open the address that followup web has printed, which is another one at each start and can be used once; or the link that you were given to your team's hub.",
  "browser.openLink": "Open {href}?",
  "browser.confirmDelete.one": "Delete {count} entry of the history?",
  "browser.confirmDelete.other": "Delete {count} entries of the history?",
  "app.questions": "Questions from your agents",
  "app.announcements": "Announcements",
  "app.newQuestion": "{agent} is asking a question.",
  "app.answerable.one": "{agent} asks: {question} {count} suggested answer.",
  "app.answerable.other": "{agent} asks: {question} {count} suggested answers.",
  "app.answerableAll.one": "{agent} asks {count} question: {question}",
  "app.answerableAll.other": "{agent} asks {count} questions. The first one: {question}",
  "app.queued": "Another question of {agent} waits its turn.",
  "card.label": "Question from {agent}",
  "card.guidanceLabel": "{agent} needs your guidance",
  "card.guidanceHint": "What was wrong with its last call: {message}",
  "card.guidanceDismissHint": "Gives no guidance. The agent is told only what was wrong with its call.",
  "card.streaming": "The question is arriving…",
  "card.sending": "Sending…",
  "card.queued": "Waits its turn",
  "card.orphaned": "The agent that asked is gone. Your answer is kept until an agent collects it.",
  "card.to": "For {name}",
  "card.elsewhere": "Asked in another window: {folder}",
  "timer.running": "The first answer is taken for you in {time}",
  "timer.stopped": "Stopped: nothing is taken for you",
  "timer.stop": "Stop",
  "app.timed": "Unless you go to the question, its first answer is taken in {time}.",
  "card.hub": "Asked at the hub {hub}",
  "card.hubAway": "There is no connection to the hub. You can answer when there is one again.",
  "card.queuedHint": "It can be answered after this agent's question before it.",
  "card.question": "Question",
  "card.body": "Question and answer",
  "card.fold": "Fold ({keys}[)",
  "card.unfold": "Unfold ({keys}])",
  "card.wide": "Open in a tab of its own",
  "card.begun": "Answer begun",
  "card.context": "What {agent} wrote before",
  "card.held": "This question is closed. Your words stay here until you leave the box.",
  "card.clear": "Clear from this view (Delete). It stays in the history.",
  "card.notSent": "The answer could not be sent.",
  "card.dismiss": "Dismiss",
  "card.dismissHint": "Declines the question. The agent is told that you chose not to answer.",
  "suggestions.label": "Suggested answers",
  "suggestions.edit": "Edit suggestion {number}",
  "suggestions.editHint": "Edit before sending (E)",
  "suggestions.long": "This is only its beginning. Edit it to see all of it.",
  "suggestions.mode": "Mode:",
  "suggestions.modeHint": "Switches the agent to the mode “{mode}”",
  "suggestions.images.one": "Your image goes along with the suggestion you choose.",
  "suggestions.images.other": "Your {count} images go along with the suggestion you choose.",
  "places.open": "Open {place}",
  "questions.label": "Questions",
  "questions.number": "Question {number}",
  "questions.answered": "{name}, answered",
  "questions.review": "Review",
  "questions.several": "Choose any that apply.",
  "questions.many": "Type the beginning of an option to go to it.",
  "questions.recommended": "Recommended",
  "questions.own": "Other",
  "questions.ownLabel": "Other: your own answer",
  "questions.ownPlaceholder": "Other: in your own words…",
  "questions.addNote": "Add a note",
  "questions.addNoteHint": "Adds your words to the choice",
  "questions.addNoteInstantHint": "Adds your words to the choice; both are then sent with Submit",
  "questions.note": "Note",
  "questions.notePlaceholder": "A note beside your choice…",
  "questions.removeNote": "Remove the note",
  "questions.preview": "Preview: {label}",
  "questions.hasPreview": "Has a preview.",
  "questions.noPreview": "No preview for “{label}”",
  "questions.back": "Back",
  "questions.next": "Next",
  "questions.nextHint": "Go on (Ctrl+Enter or Cmd+Enter)",
  "questions.leaveOut": "Leave out",
  "questions.leaveOutHint": "Goes on without an answer to this question",
  "questions.leftOut": "Left out",
  "questions.change": "Change",
  "questions.changeLabel": "Change the answer to “{question}”",
  "questions.count.one": "{count} of {total} questions answered",
  "questions.count.other": "{count} of {total} questions answered",
  "questions.submit": "Submit",
  "questions.submitHint": "Send (Ctrl+Enter or Cmd+Enter)",
  "questions.empty": "Answer a question, add a note, or reply instead.",
  "questions.images.one": "Your image goes along with the answer.",
  "questions.images.other": "Your {count} images go along with the answer.",
  "reply.open": "Reply instead",
  "reply.openHint": "Writes to the agent instead of answering. What you have chosen so far goes along.",
  "reply.close": "Back to answering",
  "reply.hint": "Goes to the agent instead of the answers. What you have chosen so far goes along.",
  "reply.label": "Your reply",
  "reply.placeholder": "Write to the agent…",
  "reply.send": "Send reply",
  "composer.label": "Your answer",
  "composer.placeholder": "Your own answer…",
  "composer.send": "Send",
  "composer.sendHint": "Send (Enter; Shift+Enter breaks the line)",
  "composer.attach": "Add images",
  "composer.attachHint": "Add images: choose them, paste them, or drop them with Shift held",
  "drop.hint": "Hold Shift and drop it here to add it to your answer",
  "composer.editing": "Editing suggestion {number}",
  "composer.removeMode": "Send without the mode “{mode}”",
  "suggestions.attached": "What you added goes along with the suggestion you choose.",
  "questions.attached": "What you added goes along with the answer.",
  "quotes.label": "Added from the editor",
  "quotes.tooMany.one":
    "An answer holds at most {limit} pieces from the editor. {count} piece was not added.",
  "quotes.tooMany.other":
    "An answer holds at most {limit} pieces from the editor. {count} pieces were not added.",
  "quotes.over": "Nothing was added: the question was over already.",
  "files.label": "Files of the workspace",
  "files.found.one": "{count} file",
  "files.found.other": "{count} files",
  "phrases.label": "Ready phrases",
  "phrases.remove": "Remove the phrase “{phrase}”",
  "phrases.save": "Save as a Phrase",
  "phrases.putBack": "Put the phrase “{phrase}” back",
  "images.label": "Images",
  "images.unnamed": "Image {number}",
  "images.remove": "Remove {name}",
  "images.reading.one": "Reading {count} image…",
  "images.reading.other": "Reading {count} images…",
  "images.tooMany.one": "An answer holds at most {limit} images. {count} image was not added.",
  "images.tooMany.other": "An answer holds at most {limit} images. {count} images were not added.",
  "images.format": "“{name}” was not added: only PNG, JPEG, GIF and WebP images can be sent.",
  "images.unreadable": "“{name}” was not added: it could not be read as an image.",
  "images.gifTooLarge":
    "“{name}” was not added: a GIF can be at most {limit} MiB and {side} × {side} pixels.",
  "images.tooManyPixels": "“{name}” was not added: an image can have at most {limit} million pixels.",
  "images.fileTooLarge": "“{name}” was not added: a file can be at most {limit} MiB.",
  "files.notRead": "“{name}” was not added: it could not be read.",
  "files.noBox": "“{name}” was not added: there is no text box here for its path.",
  "outcome.clicked": "You chose suggestion {number}",
  "outcome.edited": "You edited suggestion {number}",
  "outcome.typed": "You answered in your own words",
  "outcome.timer": "The timer chose suggestion {number}",
  "outcome.answered": "You answered",
  "outcome.dismissed": "You dismissed this question. The agent was told that you chose not to answer.",
  "outcome.guidance.dismissed": "You gave no guidance. The agent was told only what was wrong with its call.",
  "outcome.guidance.withdrawn": "No guidance is needed any more.",
  "outcome.replied": "You wrote to the agent instead of answering",
  "outcome.questions.one": "You answered {count} of {total} questions",
  "outcome.questions.other": "You answered {count} of {total} questions",
  "outcome.withdrawn": "The agent withdrew this question. No answer is needed any more.",
  "outcome.elsewhere":
    "You saw to this question in the agent's own dialog. No answer is needed here any more.",
  "outcome.notShown": "This question could not be shown in time. The agent was told that nobody saw it.",
  "outcome.invalid": "This question was faulty. The agent was told what was wrong with it.",
  "outcome.by.answered": "{name} answered",
  "outcome.by.replied": "{name} wrote to the agent instead of answering",
  "outcome.by.dismissed": "{name} dismissed this question",
  "outcome.images.one": "with {count} image",
  "outcome.images.other": "with {count} images",
  "outcome.long": "This is only its beginning. The agent got all of it.",
  "outcome.announce": "{agent}: {outcome}",
  "outcome.unsent": "What you had typed was not sent:",
  "outcome.discard": "Clearing this question discards them.",
  "outcome.discardYes": "Clear Anyway",
  "outcome.discardNo": "Keep",
  "outcome.copy": "Copy",
  "outcome.copied": "Copied",
  "closed.title": "Closed questions",
  "closed.clear": "Clear All",
  "closed.clearHint":
    "Clears the closed questions from this view, but for those with words that were not sent. All stay in the history.",
  "closed.cleared.one": "{count} closed question cleared.",
  "closed.cleared.other": "{count} closed questions cleared.",
  "guard.refused": "That had just changed, so nothing was done. Please try again.",
  "text.code": "Code",
  "trouble.openLog": "Open Log",
  "hub.connected": "Hub {hub}: connected as {account}",
  "hub.connecting": "Hub {hub}: connecting…",
  "hub.again": "Connect Again…",
  "trouble.restart": "Restart",
  "trouble.restarting": "Restarting…",
  "empty.title": "No questions at the moment",
  "empty.text":
    "When an agent needs a decision from you, its question appears here with suggested answers to choose from.",
  "empty.connect": "Connect Your Agents",
  "empty.sample": "Ask a Sample Question",
  "history.title": "History",
  "history.list": "Questions and answers, newest first",
  "history.select": "Select",
  "history.entry": "{agent}, {time}: {question} {answer}",
  "history.more": "Show More",
  "history.loading": "Loading…",
  "history.trimmed": "Newer entries are further up than this list reaches.",
  "history.newest": "Back to the Newest",
  "search.label": "Search questions and answers",
  "search.placeholder": "Search history",
  "search.clear": "Clear Search",
  "search.found.one": "{count} entry matches",
  "search.found.other": "{count} entries match",
  "search.foundMany.one": "More than {count} entry matches",
  "search.foundMany.other": "More than {count} entries match",
  "filter.agent": "Agent",
  "filter.workspace": "Workspace",
  "filter.outcome": "Outcome",
  "filter.time": "Time",
  "filter.chosen": "{filter}: {value}",
  "filter.none": "Nothing to choose from yet",
  "filter.reset": "Show All",
  "filter.clear": "Clear Filters",
  "filter.time.any": "Any time",
  "filter.time.today": "Today",
  "filter.time.days7": "Last 7 days",
  "filter.time.days30": "Last 30 days",
  "filter.time.range": "From–to",
  "filter.time.from": "From",
  "filter.time.to": "To",
  "filter.time.since": "Since {from}",
  "filter.time.until": "Until {to}",
  "kind.answered": "Answered",
  "kind.replied": "Replied",
  "kind.dismissed": "Dismissed",
  "kind.withdrawn": "Withdrawn",
  "kind.notShown": "Not shown",
  "kind.invalid": "Faulty call",
  "entry.noAnswer": "Nothing was chosen",
  "entry.images.one": "{count} image",
  "entry.images.other": "{count} images",
  "entry.suggestions": "What was offered",
  "entry.chosen": "Chosen",
  "entry.edited": "Chosen and edited",
  "entry.multiSelect": "Several could be chosen",
  "entry.preview": "Preview",
  "entry.error": "What was wrong",
  "entry.guidance.one": "The agent needed guidance: {count} of its calls was faulty.",
  "entry.guidance.other": "The agent needed guidance: {count} of its calls in a row were faulty.",
  "entry.asked": "Asked",
  "entry.closed": "Closed",
  "entry.workspace": "Workspace",
  "entry.source": "Imported from",
  "entry.imported": "Imported",
  "entry.uncollected": "Not collected yet",
  "entry.uncollectedHint":
    "The agent that asked was gone before your answer reached it. The answer is kept and waits for an agent to collect it by the question's id.",
  "entry.image": "Image {number}",
  "entry.enlarge": "Show image {number} larger",
  "entry.shrink": "Show image {number} smaller",
  "entry.imagesLoading": "Loading the images…",
  "entry.imagesFailed": "The images could not be loaded: {message}",
  "action.copyAnswer": "Copy Answer",
  "action.copyEntry": "Copy as Markdown",
  "action.copied": "Copied to the clipboard.",
  "action.export": "Export…",
  "action.delete": "Delete",
  "selection.count.one": "{count} selected",
  "selection.count.other": "{count} selected",
  "selection.everything": "Everything that matches is selected",
  "selection.selectEverything": "Select Everything That Matches",
  "selection.clear": "Clear Selection",
  "selection.label": "Selection",
  "undo.deleted.one": "{count} entry deleted",
  "undo.deleted.other": "{count} entries deleted",
  "undo.undo": "Undo",
  "undo.hint": "You can undo this for {seconds} seconds with the Undo button or Ctrl+Z.",
  "undo.restored.one": "{count} entry is back",
  "undo.restored.other": "{count} entries are back",
  "undo.tooLate": "It was too late to undo the deletion.",
  "notice.close": "Close",
  "problem.title": "The history is not being saved",
  "problem.failed": "The history could not be loaded.",
  "problem.notAsked": "The sidecar could not be asked.",
  "problem.tooLong": "This is over 32 MiB, which is too long to be sent.",
  "problem.notCopied": "The browser did not let this be copied.",
  "problem.retry": "Try Again",
  "off.title": "History is switched off",
  "off.text": "Questions and answers are not kept once they are closed.",
  "off.note": "History is switched off: what is closed from now on is not kept.",
  "off.settings": "Open Settings",
  "none.title": "No history yet",
  "none.text": "Questions of your agents appear here once they are answered.",
  "none.import": "Import Questions from a Log…",
  "noMatch.title": "Nothing matches",
  "noMatch.text": "No question or answer holds what you search for.",
  "noMatch.filterText": "No question or answer fits the filters.",
} as const;

/** The key of a text; a text that counts is named without its plural category. */
export type StringKey = Exclude<keyof typeof english, `${string}.one` | `${string}.other`> | PluralKey;
type PluralKey = keyof typeof english extends infer K
  ? K extends `${infer Stem}.other`
    ? Stem
    : never
  : never;

/** Gives a text in the user's language; `count` chooses the plural form. */
export type Translate = (key: StringKey, values?: Record<string, string | number>) => string;

/** Makes the translation for a language from the texts the host sent. */
export function translator(texts: Readonly<Record<string, string>>, locale: string): Translate {
  const plurals = plural(locale);
  const numbers = new Intl.NumberFormat(plurals.resolvedOptions().locale);
  const fallback: Record<string, string> = english;
  const find = (key: string) => (Object.hasOwn(texts, key) ? texts[key] : undefined);
  return (key, values = {}) => {
    const count = values.count;
    const forms = typeof count === "number" ? [`${key}.${plurals.select(count)}`, `${key}.other`] : [key];
    const englishForm = typeof count === "number" && count === 1 ? `${key}.one` : `${key}.other`;
    const text =
      forms.map(find).find((each) => each !== undefined) ?? fallback[englishForm] ?? fallback[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name];
      return value === undefined ? placeholder : typeof value === "number" ? numbers.format(value) : value;
    });
  };
}

/** The language's plural rules; English ones for a tag that is not known. */
function plural(locale: string): Intl.PluralRules {
  try {
    return new Intl.PluralRules(locale);
  } catch {
    return new Intl.PluralRules("en");
  }
}

/** The time of day, with the day when it was not today, and with the year when it was not this one. */
export function moment(time: number, locale: string, now = Date.now()): string {
  const [date, today] = [new Date(time), new Date(now)];
  const options: Intl.DateTimeFormatOptions = { hour: "numeric", minute: "2-digit" };
  if (date.toDateString() !== today.toDateString()) {
    Object.assign(options, { month: "short", day: "numeric" });
  }
  if (date.getFullYear() !== today.getFullYear()) {
    options.year = "numeric";
  }
  return dateFormat(locale, options).format(date);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format of dates in a language; the English one for a tag that is not known. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? newFormat(locale, options);
  formats.set(key, format);
  return format;
}

function newFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, options);
  } catch {
    return new Intl.DateTimeFormat("en", options);
  }
}

/** A time that is left, in minutes and seconds. */
export function countdown(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
