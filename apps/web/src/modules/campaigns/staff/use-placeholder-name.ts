import { useTranslation } from 'react-i18next'

/** Names of placeholders in the reader's language; columns of a sheet keep their headings. */
export function usePlaceholderName() {
  const { t, i18n } = useTranslation('campaigns')
  return (name: string) =>
    /^[a-z]+$/.test(name) && i18n.exists(`campaigns:placeholder.${name}`) ? t(`placeholder.${name as 'name'}`) : name
}
