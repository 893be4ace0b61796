/** File name of a letter: its number without characters that file systems refuse. */
export const fileNameOf = ({ number }: { number: string }) => `${number.replaceAll('/', '-')}.pdf`
