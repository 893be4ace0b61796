import { useTranslation } from 'react-i18next'

/**
 * Returns a function that names a placeholder in the reader's language. Other names, such as headings of a sheet, are
 * returned unchanged.
 */
export function usePlaceholderName() {
  const { t, i18n } = useTranslation('campaigns')
  return (name: string) =>
    /^[a-z]+$/.test(name) && i18n.exists(`campaigns:placeholder.${name}`) ? t(`placeholder.${name as 'name'}`) : name
}
