use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::Shell;

#[test]
fn functions_and_variables() {
    check(
        Shell,
        "#!/bin/bash\n# Says it.\n# Twice.\nsay() {\n  local a=1\n  b=2\n  inner() { :; }\n}\nfunction go-on { echo; }\nfunction both() (\n  cd x\n)\nreadonly X=1\nexport Y=\"z\" W=3\ndeclare -r Z=2\nLIST=(\n  a\n)\nY=again\nFOO=1 run it\nif true; then LATE=1; fi\n",
        "function say public 4-8 | say() | # Says it. # Twice.
         function say.inner public! 7 | inner()
         function go-on public 9 | function go-on
         function both public 10-12 | function both()
         constant X public 13 | readonly X=1
         variable Y public 14 | export Y=\"z\"
         variable W public 14 | W=3
         constant Z public 15 | declare -r Z=2
         variable LIST public 16-18 | LIST
         variable LATE public 21 | LATE=1",
    );
}

#[test]
fn literals_do_not_hide_what_follows() {
    check(
        Shell,
        "cat <<EOF\nno() { $(call) }\nEOF\ncat <<-'END' | sort\n\tno() { \"\n\tEND\nsay \"${x:-\"a b\"}\" 'no() {' $'it\\'s'\nafter() { :; }\ncase $1 in a|b) run ;; *) exit 1 ;; esac\n[[ $x =~ ^(a|b)$ ]] && (( y += 1 ))\nlast() { :; }\n",
        "function after public 8 | after()
         function last public 11 | last()",
    );
}

#[test]
fn uses() {
    check_uses(
        Shell,
        "run() {\n  go \"$name\" ${list[@]} | sort -u\n  /bin/x $1\n  out=$(make \"$(pick)\")\n  FOO=1 cmd word\n}\n",
        "call go < run
         other name < run
         other list < run
         call sort < run
         other out < run
         call make < run
         call pick < run
         other FOO < run
         call cmd < run",
    );
}

#[test]
fn imports() {
    check_imports(
        Shell,
        "source ./lib.sh\n. \"$HOME/x.sh\"\nif a; then source 'b c.sh' arg; fi\n",
        "pub ./lib.sh
         pub $HOME/x.sh
         pub b c.sh",
    );
}
