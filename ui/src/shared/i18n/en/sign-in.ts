export const signIn = {
  title: 'Sign in',
  lead: 'A news desk of your own.',
  email: 'E-mail address',
  password: 'Password',
  newPassword: 'Password',
  name: 'Name',
  nameHint: 'Your display name (optional).',
  submit: 'Sign in',
  with: 'Continue with {{provider}}',
  or: 'or',
  noAccount: 'No account yet?',
  register: 'Create an account',
  registerTitle: 'Create an account',
  haveAccount: 'Already have an account?',
  noWay: {
    title: 'Sign-in isn’t set up',
    text: 'Neither passwords nor a provider is enabled. If you run this server, see the sign-in settings in its documentation.',
  },
  setupFirst: {
    title: 'No accounts yet',
    text: 'Kawaraban printed a link when it started, in its terminal or its log: “set up your account at …”. Open that link to create the first account.',
  },
  setup: {
    title: 'Set up your Kawaraban',
    lead: 'This creates the first account. It owns this server and can see the health of feeds and jobs.',
    submit: 'Create account',
    noToken: {
      title: 'Incomplete link',
      text: 'The part after “token=” is missing. Copy the whole line that Kawaraban printed when it started.',
    },
    over: {
      title: 'Already set up',
      text: 'An account exists, so this link no longer works.',
      action: 'Sign in',
    },
  },
  language: 'Language',
} as const;
