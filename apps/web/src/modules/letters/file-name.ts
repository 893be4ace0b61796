/** Name under which the file of a letter is saved: its number without what file systems refuse. */
export const fileNameOf = ({ number }: { number: string }) => `${number.replaceAll('/', '-')}.pdf`
