import { Button, Menu } from '@mantine/core'
import { IconCheck, IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { updatePreferences } from '#domain/accounts/endpoints.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { sendOnce } from '#web/api/send.ts'
import { setLanguage } from '#web/shell/language.ts'
import { useSession } from '#web/shell/session/session.tsx'

/** Switches the screen language, and for a signed-in reader also the language of messages. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation('common')
  const { signedIn, seenBy } = useSession()
  const choose = (language: Language) => {
    void setLanguage(language)
    // The screen has already changed; the account settings show which language is stored.
    if (signedIn && !seenBy) void sendOnce(updatePreferences, { body: { language } }).catch(() => {})
  }
  const name = t(`language.${i18n.language}`)
  return (
    <Menu position="bottom-end" withinPortal={false} zIndex={navigationConstants.dropdownZIndex}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px={10}
          c="inherit"
          leftSection={<IconLanguage size={20} aria-hidden />}
          aria-label={`${t('language.label')}: ${name}`}
        >
          {i18n.language.toUpperCase()}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            onClick={() => choose(language)}
            aria-current={i18n.language === language || undefined}
            rightSection={i18n.language === language && <IconCheck size={16} aria-hidden />}
          >
            {t(`language.${language}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
