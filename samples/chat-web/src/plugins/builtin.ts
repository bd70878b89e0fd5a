import { install } from "./plugins.ts";

const emoji: Record<string, string> = { ":)": "🙂", ":(": "🙁", "<3": "❤️" };

install({
  name: "emoji",
  transform: (message) => ({
    ...message,
    text: message.text.replace(/:\)|:\(|<3/g, (found) => emoji[found]!),
  }),
});

install({
  name: "fun",
  commands: { shrug: (args) => `${args} ¯\\_(ツ)_/¯`.trim(), me: (args) => `_${args}_` },
});
