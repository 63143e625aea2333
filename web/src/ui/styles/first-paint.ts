// Every component of the first paint brings its styles here, in the library's order; what comes later imports its own.
// The layered files, so that any rule of ours wins over any of theirs.
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/Group.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Button.layer.css'
import './tokens.css'
import './page.css'
