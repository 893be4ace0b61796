import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { navigationConstants } from '#domain/navigation/constants.ts'

const modes = [
  { mode: 'light', label: 'theme.light', Icon: IconSun },
  { mode: 'dark', label: 'theme.dark', Icon: IconMoon },
  { mode: 'auto', label: 'theme.system', Icon: IconDeviceDesktop },
] as const

export function ThemeSwitch() {
  const { t } = useTranslation('common')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = modes.find(({ mode }) => mode === colorScheme) ?? modes[2]
  return (
    <Menu position="bottom-end" withinPortal={false} zIndex={navigationConstants.dropdownZIndex}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="inherit"
          size={44}
          aria-label={`${t('theme.label')}: ${t(current.label)}`}
        >
          <current.Icon size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {modes.map(({ mode, label, Icon }) => (
          <Menu.Item
            key={mode}
            leftSection={<Icon size={18} aria-hidden />}
            rightSection={mode === colorScheme && <IconCheck size={16} aria-hidden />}
            aria-current={mode === colorScheme || undefined}
            onClick={() => setColorScheme(mode)}
          >
            {t(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
