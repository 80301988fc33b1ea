// Links that an agent wrote: what is opened, and what the user is told before an email is begun.

import { beforeEach, expect, test } from "vitest";
import { openLink, readMail } from "../../src/page/links";
import { opened, user } from "./fake/vscode";

beforeEach(() => {
  opened.length = 0;
  user.asked.length = 0;
  user.choices = {};
});

test("a link is opened as it stands: what is percent-encoded stays so", async () => {
  const href = "https://a.example/o%2Fb%23?q=1%2B1%26x&r=%20+#%2F%23";
  await openLink(href);
  expect(opened).toEqual([href]);
});

test("an email is begun only when the user wants it, and as the link says", async () => {
  const href = "mailto:a@b.example?subject=x%26y&cc=c%2Bd@e.example";
  await openLink(href);
  expect(opened).toEqual([]);
  user.choices.information = [() => "Write Email"];
  await openLink(href);
  expect(opened).toEqual([href]);
});

test("the user sees all of an email: who gets a copy, the subject, and the text behind the fields", async () => {
  await openLink(
    "mailto:a@b.example?cc=c@d.example&bcc=spy@e.example&subject=Hello%20there&x-y=z&body=One%0D%0ABcc:%20nobody",
  );
  expect(user.asked).toEqual([
    [
      "information",
      "Write an email to a@b.example?",
      {
        modal: true,
        detail: "Cc: c@d.example\nBcc: spy@e.example\nSubject: Hello there\nx-y: z\n\nOne\nBcc: nobody",
      },
      "Write Email",
    ],
  ]);
});

test.each([
  ["mailto:a@b", { to: "a@b", fields: [], body: "" }],
  ["MAILTO:a@b,c@d?To=e%40f", { to: "a@b,c@d, e@f", fields: [], body: "" }],
  ["mailto:a@b?BCC=c+d@e&body=1+1&body=2", { to: "a@b", fields: [["bcc", "c+d@e"]], body: "1+1\n2" }],
  [
    "mailto:a@b?cc=x%0D%0Abcc:y&%62cc=z",
    {
      to: "a@b",
      fields: [
        ["cc", "x bcc:y"],
        ["bcc", "z"],
      ],
      body: "",
    },
  ],
  [
    "mailto:a@b?subject=50%&flag",
    {
      to: "a@b",
      fields: [
        ["subject", "50%"],
        ["flag", ""],
      ],
      body: "",
    },
  ],
  ["mailto:%E2%80%AEa@b?cc=%00%C2%85", { to: "U+202Ea@b", fields: [["cc", "U+0000U+0085"]], body: "" }],
  ["mailto:a@b?subject=x=y#cc=z", { to: "a@b", fields: [["subject", "x=y"]], body: "" }],
  ["https://a.example/?cc=b", null],
])("%s is read", (href, mail) => {
  expect(readMail(href)).toEqual(mail);
});
