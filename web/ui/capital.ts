// Second half of a class that is put together: styles[`button${capital(look)}`] is .button-main of the sheet.

export const capital = <Name extends string>(name: Name): Capitalize<Name> =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}` as Capitalize<Name>;
