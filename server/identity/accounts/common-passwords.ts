// Passwords that guessers try first. A short list of words and a rule for their usual disguises (a capital, digits or
// a mark at the end, letters as digits) covers far more than its length.

const words = `
password passwort passw0rd contrasena motdepasse senha parola wachtwoord haslo qwerty qwertz azerty qwertyuiop asdfgh
asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc qweasd qweasdzxc asdasd qweqwe zxczxc abcdef abcdefg abcabc abcd1234 abc123
iloveyou iloveu loveme lovely love sunshine princess princesa dragon monkey football baseball basketball soccer hockey
tennis golf master superman batman spiderman ironman pokemon pikachu naruto starwars letmein welcome willkommen hello
hallo ciao bonjour hola admin administrator root toor login user guest test tester testing demo sample example default
changeme change secret geheim segreto trustno1 shadow michael michelle jordan jennifer jessica ashley amanda daniel
andrew joshua matthew anthony thomas robert charlie george william hunter harley ranger buster killer pepper ginger
summer winter spring autumn sommer herbst january february march april june july august september october november
december monday friday sunday freedom whatever nothing computer internet samsung google facebook android windows
microsoft apple iphone kanbase kanban project trello mustang corvette ferrari porsche mercedes yamaha cheese chocolate
cookie banana orange apple123 purple yellow silver golden flower butterfly angel angels babygirl blessed jesus christ
heaven heather maggie tigger snoopy mickey minnie garfield smokey lakers yankees cowboys eagles steelers chelsea arsenal
liverpool barcelona realmadrid juventus matrix phoenix thunder lightning diamond crystal merlin gandalf hobbit access
access14 passport bailey nicole daniela andrea alexander maximus dallas austin london berlin paris madrid roma moscow
fuckyou fuckoff asshole biteme pussy sexy hottie master123 donald trump biden qwer1234 1q2w3e 1q2w3e4r 1q2w3e4r5t
1qaz2wsx zaq12wsx q1w2e3 q1w2e3r4 a1b2c3 aa123456 a123456 pass1234 p@ssw0rd mypassword newpassword nopassword
`;

const disguises: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

let list: ReadonlySet<string> | null = null;

export function isCommonPassword(password: string): boolean {
  list ??= new Set(words.split(/\s+/).flatMap((word) => [word, plain(word)]));
  const lower = password.toLowerCase();
  const bare = lower.replace(/(?<![^a-z])[^a-z]+$/, '');
  return (
    list.has(lower) ||
    list.has(plain(lower)) ||
    (bare !== '' && bare.length * 2 >= lower.length && (list.has(bare) || list.has(plain(bare)))) ||
    isPattern(lower)
  );
}

function plain(word: string): string {
  return [...word].map((letter) => disguises[letter] ?? letter).join('');
}

/** One character or a short piece over and over, a run along the keyboard or the alphabet, digits only. */
function isPattern(text: string): boolean {
  if (/^(.{1,3})\1+$/.test(text)) return true;
  if (/^\d{1,10}$/.test(text)) return true;
  const steps = new Set([...text].slice(1).map((letter, index) => letter.charCodeAt(0) - text.charCodeAt(index)));
  return steps.size === 1 && Math.abs([...steps][0] ?? 0) <= 1;
}
