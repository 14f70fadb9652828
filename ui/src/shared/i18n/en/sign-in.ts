export const signIn = {
  title: 'Sign in',
  lead: 'A news desk of your own.',
  email: 'E-mail address',
  password: 'Password',
  newPassword: 'Password',
  name: 'Name',
  nameHint: 'What to call you. May stay empty.',
  submit: 'Sign in',
  with: 'Continue with {{provider}}',
  or: 'or',
  noAccount: 'No account yet?',
  register: 'Create an account',
  registerTitle: 'Create an account',
  haveAccount: 'Have an account?',
  noWay: {
    title: 'There is no way to sign in yet',
    text: 'Neither passwords nor a provider are switched on. Whoever runs this Kawaraban finds the settings in its documentation.',
  },
  setupFirst: {
    title: 'Nobody has an account here yet',
    text: 'Kawaraban printed a link when it started, in its terminal or its log: “set up your account at …”. Open that link to make the first account.',
  },
  setup: {
    title: 'Set up your Kawaraban',
    lead: 'This makes the first account, yours. It owns this Kawaraban: it sees the health of feeds and jobs.',
    submit: 'Create account',
    noToken: {
      title: 'This link is not whole',
      text: 'Its end, behind “token=”, is missing. Copy the whole line that Kawaraban printed when it started.',
    },
    over: {
      title: 'It is set up already',
      text: 'There is an account, and the link has done its work.',
      action: 'Sign in',
    },
  },
  language: 'Language',
} as const;
