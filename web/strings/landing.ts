// Words the landing page says by itself; its text is in index.html.

export const landing = {
  emailWrong: 'Enter an e-mail address, such as ada@example.com.',
  thanks: 'Thank you! You will hear from us.',
  failed: 'That did not work. Try again in a moment.',
  unreachable: 'The server could not be reached. Check your connection and try again.',
  askPrice: 'Ask at checkout',
  choose: (name: string) => `Choose ${name}`,
} as const;
