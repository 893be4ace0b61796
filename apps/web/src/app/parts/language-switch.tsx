import { Button, Menu } from '@mantine/core'
import { IconCheck, IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { languages } from '#entities/define/language.ts'
import { setLanguage } from '#web/shell/language.ts'

export function LanguageSwitch() {
  const { t, i18n } = useTranslation('common')
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
            onClick={() => setLanguage(language)}
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
