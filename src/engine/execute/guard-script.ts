/**
 * The guard's program, for any POSIX sh. It reads lines `watch MARK`, `group MARK GROUP`, `inside MARK FOLDER`, `forget MARK`; at
 * the end of its input it kills what is still watched: who is in the control group FOLDER, the group, and on Linux (where /proc is) who descends from it or shares its
 * session, and who carries the mark. A group whose leader is not the process it was (by start time) is another's: left alone.
 */
export const GUARD_SCRIPT = String.raw`
trap '' INT TERM HUP QUIT
entries= folders=
birth() {
  born= stat=
  [ -r "/proc/$1/stat" ] && read -r stat < "/proc/$1/stat" && set -- ${'$'}{stat##*) } && born=${'$'}{20}
}
while read -r word mark group; do
  kept= others=
  for entry in $folders; do
    case $entry in "$mark|"*) ;; *) others="$others $entry" ;; esac
  done
  for entry in $entries; do
    case $entry in "$mark":*) ;; *) kept="$kept $entry" ;; esac
  done
  case $word in
    watch) entries="$kept $mark::" ;;
    group) birth "$group"; entries="$kept $mark:$group:$born" ;;
    inside) folders="$folders $mark|$group" ;;
    forget) entries=$kept folders=$others ;;
  esac
done

descendants() {
  leader=$1 family=" $1 " table= grown=yes
  for file in /proc/[0-9]*/stat; do
    stat=
    read -r stat < "$file" || continue
    pid=${'$'}{stat%% *}
    set -- ${'$'}{stat##*) }
    table="$table $pid:$2:$4"
  done
  while [ "$grown" ]; do
    grown=
    for row in $table; do
      pid=${'$'}{row%%:*} session=${'$'}{row##*:} parent=${'$'}{row#*:} parent=${'$'}{parent%:*}
      case $family in *" $pid "*) continue ;; esac
      [ "$session" = "$leader" ] || case $family in *" $parent "*) ;; *) continue ;; esac
      family="$family$pid " grown=yes
    done
  done
}

for entry in $folders; do
  folder=${'$'}{entry#*|}
  # From now on nothing in it can start anything.
  [ -w "$folder/pids.max" ] && echo 0 > "$folder/pids.max"
  [ -r "$folder/cgroup.procs" ] && while read -r pid; do kill -s KILL "$pid"; done < "$folder/cgroup.procs"
done

for entry in $entries; do
  rest=${'$'}{entry#*:} group=${'$'}{rest%%:*} was=${'$'}{rest#*:}
  [ "$group" ] || continue
  birth "$group"
  [ -z "$born" ] || [ "$born" = "$was" ] || continue
  descendants "$group"
  kill -s KILL -- "-$group"
  for pid in $family; do
    [ "$pid" = "$group" ] || kill -s KILL "$pid"
  done
done

round=0 quiet=0
while [ $quiet -lt 2 ] && [ $round -lt 20 ] && [ -r /proc/self/environ ]; do
  quiet=$((quiet + 1)) round=$((round + 1))
  for entry in $entries; do
    mark=RATCHET_MARK=${'$'}{entry%%:*}
    for file in $(grep -lsF "$mark" /proc/[0-9]*/environ); do
      tr '\0' '\n' < "$file" | grep -qxF "$mark" || continue
      pid=${'$'}{file#/proc/}
      kill -s KILL "${'$'}{pid%/environ}" && quiet=0
    done
  done
  sleep 0.05
done

for entry in $folders; do
  rmdir "${'$'}{entry#*|}"
done
`;
