# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_aerscope_global_optspecs
    string join \n all select= max-size= rows= since= correlation= poll log= theme= ascii mouse h/help V/version
end

function __fish_aerscope_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_aerscope_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_aerscope_using_subcommand
    set -l cmd (__fish_aerscope_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c aerscope -n "__fish_aerscope_needs_command" -l select -d 'Select the record with this id, as soon as it is there' -r
complete -c aerscope -n "__fish_aerscope_needs_command" -l max-size -d 'Largest file, or line of a line-wise file: bytes, or a number with K, M or G' -r
complete -c aerscope -n "__fish_aerscope_needs_command" -l rows -d 'Keep at most this many rows: past it removed ones leave first, then the oldest, failing ones last' -r
complete -c aerscope -n "__fish_aerscope_needs_command" -l since -d 'Leave out files of the folder last modified before this: a time, or a number with s, m, h, d or w before now' -r
complete -c aerscope -n "__fish_aerscope_needs_command" -l correlation -d 'A field that links attempts: a member name or a JSON pointer; repeat it for more, first found wins' -r
complete -c aerscope -n "__fish_aerscope_needs_command" -l log -d 'Append what happens in the session to this file, which must lie outside of the opened folder: JSON Lines when its name ends in .jsonl, else lines of text' -r -F
complete -c aerscope -n "__fish_aerscope_needs_command" -l theme -d 'Colours: terminal, dark, light, colour-blind or plain' -r
complete -c aerscope -n "__fish_aerscope_needs_command" -l all -d 'Take every file of the folder, whatever its name'
complete -c aerscope -n "__fish_aerscope_needs_command" -l poll -d 'List the folder every two seconds instead of waiting to be told of changes'
complete -c aerscope -n "__fish_aerscope_needs_command" -l ascii -d 'Glyphs and borders from ASCII alone'
complete -c aerscope -n "__fish_aerscope_needs_command" -l mouse -d 'Clicks select and the wheel moves; the terminal\'s own selection then needs Shift'
complete -c aerscope -n "__fish_aerscope_needs_command" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_needs_command" -s V -l version -d 'Print version'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "verify" -d 'Verify receipts without a terminal: files, folders, or standard input'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "watch" -d 'Follow a folder without a terminal: one JSON line per record as it arrives, changes, is rewritten or removed'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "emit" -d 'Make a receipt of standard input: its bytes are committed, the options label them'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "redact" -d 'Make a redacted projection of one receipt: members removed or masked, the original hash kept under its own name'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "snapshot" -d 'Write down what a folder holds: path, id, hashes and verdict of every record, to be compared later'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "compare" -d 'Compare a folder with a snapshot of it: what was added, removed, rewritten, or has another verdict'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "demo" -d 'Watch a simulated gateway write receipts into a temporary folder, which is removed at the end'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "show" -d 'Show one record as text: findings, checks, hashes, coverage, claims, notes and decoded bytes'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "vectors" -d 'Run a suite of test vectors: expected against found'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "explain" -d 'Explain a headline or a class: what it means, what to do next, and the rule it comes from'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "completions" -d 'Print completions for a shell'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "man" -d 'Print a manual page, or write all of them into a folder'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "config" -d 'Print the console\'s settings, each with where it comes from'
complete -c aerscope -n "__fish_aerscope_needs_command" -a "make" -d 'Write test data: our own vectors, receipts in bulk, or a gateway\'s traffic'
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l format -d 'How results are printed; text unless --stream is given, jsonl then' -r -f -a "text\t'A block a record, for people, and the totals'
jsonl\t'One JSON object a line'
junit\t'JUnit XML: a failing record is a failing test case'
html\t'One self-contained page'
markdown\t'A summary'"
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l max-size -d 'Largest file, or line of a line-wise file: bytes, or a number with K, M or G' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l since -d 'Leave out files of a folder last modified before this: a time, or a number with s, m, h, d or w before now. A named file is always read' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l profile -d 'Which findings decide; a profile adds demands and never takes one away' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l expect-id -d 'The id the record must have; exactly one record' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l resolved -d 'A separately fetched copy of the record to compare id and hash with; exactly one record each' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l correlation -d 'A field that links attempts: a member name or a JSON pointer; repeat it for more, first found wins. Replaces the default list: correlation_id, retry_of, job_id, workflow_id, session_id, task_id, run_id' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l files-from -d 'Read the paths to verify from a file, `-` for standard input: one a line, or with NUL after each. A listed path that does not exist is a result, not an error' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l baseline -d 'Failures that are known already, as --format jsonl printed them: path, record and class. They are shown all the same, and only others make the exit status 1' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -s q -l quiet -d 'Print nothing; the exit status tells'
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l all -d 'Take every file of a folder, whatever its name'
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l expect-file-name -d 'Expect the file\'s name as id, when it is a UUID; exactly one record'
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -l stream -d 'Read one record a line, from standard input unless files are named, and print one line for each, in order, in constant memory'
complete -c aerscope -n "__fish_aerscope_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aerscope -n "__fish_aerscope_using_subcommand watch" -l max-size -d 'Largest file, or line of a line-wise file: bytes, or a number with K, M or G' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand watch" -l rows -d 'Keep at most this many rows in memory: past it removed ones leave first, then the oldest, failing ones last' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand watch" -l since -d 'Leave out files of the folder last modified before this: a time, or a number with s, m, h, d or w before now. It decides when a file is first seen; one that was taken is followed' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand watch" -l correlation -d 'A field that links attempts: a member name or a JSON pointer; repeat it for more, first found wins' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand watch" -l until-failing -d 'End with exit status 1 after the line of the first record that fails (malformed or mismatch), those that are there at the start included'
complete -c aerscope -n "__fish_aerscope_using_subcommand watch" -l all -d 'Take every file of the folder, whatever its name'
complete -c aerscope -n "__fish_aerscope_using_subcommand watch" -l poll -d 'List the folder every two seconds instead of waiting to be told of changes'
complete -c aerscope -n "__fish_aerscope_using_subcommand watch" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand emit" -l tool -d 'The tool that was called' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand emit" -l tool-version -d 'The tool\'s version' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand emit" -l scope -d 'The scope of the call' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand emit" -l provenance -d 'Who stands for what happened' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand emit" -l id -d 'The receipt\'s id, a lowercase UUID; a new one of version 4 unless given' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand emit" -l created-at -d 'When the call was made; now unless given' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand emit" -l correlation -d 'What links the attempts of one call: the member correlation_id, a label that the hash does not cover' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand emit" -l into -d 'Write it into this folder, as ID.json, and print the path; nothing is overwritten. Otherwise it goes to standard output' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand emit" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand redact" -l drop -d 'Remove what stands at this JSON pointer, name and all; repeat it for more' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand redact" -l mask -d 'Put "[masked]" in the place of what stands at this JSON pointer; repeat it for more' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand redact" -l policy -d 'A TOML file with the lists drop and mask' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand redact" -l record -d 'Which record of the file: `#3` (array element, from 0), `:12` (line, from 1) or `:12#0`' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand redact" -l out -d 'Write it into this new file; nothing is overwritten. Otherwise it goes to standard output' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand redact" -l max-size -d 'Largest file: bytes, or a number with K, M or G' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand redact" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand snapshot" -l out -d 'Write it into this new file, outside of DIR; nothing is overwritten. Otherwise it goes to standard output' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand snapshot" -l max-size -d 'Largest file, or line of a line-wise file: bytes, or a number with K, M or G' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand snapshot" -l all -d 'Take every file of the folder, whatever its name'
complete -c aerscope -n "__fish_aerscope_using_subcommand snapshot" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand compare" -l format -d 'One JSON object a difference: path, record, change, before, after' -r -f -a "text\t'One line a difference, for people, and the totals'
jsonl\t'One JSON object a line'"
complete -c aerscope -n "__fish_aerscope_using_subcommand compare" -s q -l quiet -d 'Print nothing; the exit status tells'
complete -c aerscope -n "__fish_aerscope_using_subcommand compare" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aerscope -n "__fish_aerscope_using_subcommand demo" -l rate -d 'Receipts a second, after the first forty' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand demo" -l theme -d 'Colours: terminal, dark, light, colour-blind or plain' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand demo" -l ascii -d 'Glyphs and borders from ASCII alone'
complete -c aerscope -n "__fish_aerscope_using_subcommand demo" -l mouse -d 'Clicks select and the wheel moves; the terminal\'s own selection then needs Shift'
complete -c aerscope -n "__fish_aerscope_using_subcommand demo" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand show" -l record -d 'Which record of the file: `#3` (array element, from 0), `:12` (line, from 1) or `:12#0`' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand show" -l max-size -d 'Largest file: bytes, or a number with K, M or G' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand show" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand vectors" -l record -d 'Write the run down in this file, which must not exist yet' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand vectors" -l keep -d 'Copy each input that disagrees into this folder, unchanged' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand vectors" -l replay -d 'Run again what a file written by --record holds, and say what differs' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand vectors" -l theme -d 'Colours: terminal, dark, light, colour-blind or plain' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand vectors" -l all -d 'List the vectors that agree as well'
complete -c aerscope -n "__fish_aerscope_using_subcommand vectors" -l open -d 'Step through them in the console, those that disagree first; run again whenever a file changes'
complete -c aerscope -n "__fish_aerscope_using_subcommand vectors" -l ascii -d 'Glyphs and borders from ASCII alone'
complete -c aerscope -n "__fish_aerscope_using_subcommand vectors" -l mouse -d 'Clicks select and the wheel moves; the terminal\'s own selection then needs Shift'
complete -c aerscope -n "__fish_aerscope_using_subcommand vectors" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aerscope -n "__fish_aerscope_using_subcommand explain" -l markdown -d 'The whole table as Markdown'
complete -c aerscope -n "__fish_aerscope_using_subcommand explain" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand completions" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand man" -l into -d 'Write every page into this folder, as aerscope.1, aerscope-verify.1 and so on; nothing is overwritten' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand man" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand config" -l default -d 'Print a file with every default instead, as comments'
complete -c aerscope -n "__fish_aerscope_using_subcommand config" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and not __fish_seen_subcommand_from vectors receipts gateway" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and not __fish_seen_subcommand_from vectors receipts gateway" -f -a "vectors" -d 'Write the vectors of this repository into a folder'
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and not __fish_seen_subcommand_from vectors receipts gateway" -f -a "receipts" -d 'Write any number of receipts, the same for the same arguments'
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and not __fish_seen_subcommand_from vectors receipts gateway" -f -a "gateway" -d 'Write what a gateway writes, into a folder that exists'
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from vectors" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -l n -d 'How many' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -l out -d 'One file a receipt into this folder' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -l jsonl -d 'One line a receipt into this file' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -l seed -d 'Where the numbers start' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -l median -d 'Median payload size in bytes' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -l sigma -d 'Spread of the sizes' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -l cap -d 'Largest payload in bytes' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -l fixed -d 'Every payload about this many bytes' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -l bad -d 'The share of defective receipts, 0 to 1' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -l expect -d 'Write the expected verdict of each receipt into this file: id, headline, class' -r -F
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -l compact -d 'Files without indentation'
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from receipts" -s h -l help -d 'Print help'
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from gateway" -l burst -d 'How many at once to begin with' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from gateway" -l per-second -d 'How many a second after that' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from gateway" -l seconds -d 'For how long, in seconds' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from gateway" -l seed -d 'Where the numbers start' -r
complete -c aerscope -n "__fish_aerscope_using_subcommand make; and __fish_seen_subcommand_from gateway" -s h -l help -d 'Print help'
