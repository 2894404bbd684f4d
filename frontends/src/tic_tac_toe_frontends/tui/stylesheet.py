"""How the full screen is laid out, in the style sheets of Textual."""

#: The columns that the list of moves takes beside the board.
PANEL_WIDTH = 34

STYLES = (
    f"$panel-width: {PANEL_WIDTH};"
    + """
Screen { background: $background; color: $foreground; }

#top { height: 1; background: $panel; padding: 0 1; }
#title { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
#players { width: auto; height: 1; text-wrap: nowrap; padding-left: 2; }

#middle { height: 1fr; }
#field {
    width: 1fr; height: 1fr;
    overflow: auto; align: center middle;
    scrollbar-size: 1 1;
}
#panel { width: $panel-width; height: 1fr; padding: 1 2; border-left: vkey $panel; }
#panel.-alone { width: 1fr; border-left: none; padding: 0 1; }
#words { height: auto; }
#score { height: auto; margin-top: 1; }
#history { height: 1fr; margin-top: 1; scrollbar-size: 1 1; }
#moves { height: auto; }

#choice {
    display: none; height: 1; padding: 0 1; color: $foreground;
    link-style: none; link-color: $foreground; link-background: $background;
    link-style-hover: bold reverse; link-color-hover: $foreground;
    link-background-hover: $background;
}
#line { padding: 0 1; overflow: hidden; }
#keys {
    height: 1; padding: 0 1; color: $foreground; background: $panel;
    link-style: none; link-color: $foreground; link-background: $panel;
    link-style-hover: bold reverse; link-color-hover: $foreground; link-background-hover: $panel;
}

ModalScreen { align: center middle; background: $background 60%; }
.dialog {
    width: 64; max-width: 100%; height: auto; max-height: 100%;
    padding: 1 2; border: round $foreground; background: $surface; color: $foreground;
    border-title-style: bold; scrollbar-size: 1 1;
}
.paragraph { margin-top: 1; }
.row { height: 1; }
.row Label { width: 14; }
#size { margin-left: 14; width: 1fr; }
#problem { margin-top: 1; height: auto; color: $text-error; }
#level { margin: 0 0 0 14; height: auto; color: $foreground 75%; }
#about { margin: 0 0 1 14; height: auto; color: $foreground 75%; }
.buttons { height: 1; margin-top: 1; align-horizontal: right; }
.buttons Button { margin-left: 2; }
ThemeScreen { align: right middle; background: $background 0%; }
ThemeScreen .dialog { width: 34; }
#themes { height: auto; max-height: 20; }
"""
)
