package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/connect"
	"followup/internal/httpapi"
	"followup/internal/imagefile"
	"followup/internal/keeper"
	"followup/internal/locale"
	"followup/internal/person"
	"followup/internal/protocol"
	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// uninstallOptions are the flags of uninstall.
type uninstallOptions struct {
	dryRun, yes, json, keepHistory bool
	storage                        string
	speak                          locale.Tag
}

// uninstallCommand is "followup uninstall".
func uninstallCommand(p process) *cobra.Command {
	var o uninstallOptions
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove Followup from this user's account",
		Long: "Show everything that Followup has written for this user, ask, and remove it: the entries in agents' configurations and the\n" +
			"copies of the original files, the link in ~/.local/bin, the process that keeps the inbox, the program that agents start, and\n" +
			"the storage with all questions and answers. Other programs' files stay. While an editor or an agent uses the inbox, nothing\n" +
			"is removed. Packages and editors' extensions are removed by the tool that installed them; this command names it.\n\n" +
			"Exit status: 0 done, 1 something stays or you did not agree, 2 wrong usage.",
		Example: "  followup uninstall --dry-run\n  followup uninstall --keep-history",
		Args:    noArguments,
		RunE:    interruptible(func(ctx context.Context, _ []string) error { return uninstall(ctx, p, o) }),
	}
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "remove nothing, and show what would be removed")
	c.Flags().BoolVarP(&o.yes, "yes", "y", false, "remove without asking, for scripts")
	c.Flags().BoolVar(&o.keepHistory, "keep-history", false, "keep the questions and answers")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	storageFlag(c.Flags(), &o.storage, p.env)
	localeFlag(c, c.Flags(), &o.speak, "the output", p.env)
	return c
}

// remains is everything that Followup has written for a user.
type remains struct {
	m      connect.Machine
	link   connect.Link
	speak  locale.Tag
	agents []connect.Status
	// results are the planned changes of the agents' files.
	results []*connectResult
	groups  []ownFiles
	folders []string // removed if they are empty then, the inner ones first
	shared  []string // the same, for folders with files of other storages
	keepers []keeper.Client
	clients int
	kept    []string
	notes   []string
}

// ownFiles are existing files in one folder, with the same purpose.
type ownFiles struct {
	folder string
	names  []string
	what   locale.Key
}

func (f ownFiles) paths() (paths []string) {
	for _, name := range f.names {
		paths = append(paths, filepath.Join(f.folder, name))
	}
	return paths
}

const (
	uninstallAsk     locale.Key = "Remove all of this? y: yes, d: show every changed line, n: no"
	uninstallInUse   locale.Key = "The inbox is in use by {0}, such as editors, agents and commands. Before you uninstall, close them, and uninstall the editors' extension."
	uninstallBlocked locale.Key = "Nothing was removed, because {0} cannot be disconnected: {1}"
	uninstallForeign locale.Key = "{0} stays: it is not Followup's."
	uninstallPackage locale.Key = "{0} is part of a package. To remove it: {1}"
)

func uninstall(ctx context.Context, p process, o uninstallOptions) error {
	if o.dryRun && o.yes {
		return wrongUsage("--dry-run and --yes cannot be combined")
	}
	r, err := lookAtRemains(ctx, p, o)
	if err != nil {
		return err
	}
	shown := r.review()
	switch {
	case o.dryRun && o.json:
		return r.printJSON(p)
	case o.dryRun:
		shown.write(p.stdout)
		fmt.Fprint(p.stdout, shown.lines)
		return r.printNotes(p)
	case shown.empty() && o.json:
		return r.printJSON(p)
	case shown.empty():
		fmt.Fprintln(p.stdout, o.speak.Text("There is nothing to remove."))
		return r.printNotes(p)
	case r.clients > 0:
		return errors.New(r.inUse())
	case o.json && !o.yes:
		return errors.Join(r.printJSON(p), wrongUsage(needsYes))
	}
	if !o.json {
		shown.write(p.stdout)
	}
	if !o.yes {
		if agreed, err := askOnTerminal(p, o.speak, uninstallAsk, shown.lines); err != nil || !agreed {
			return err
		}
	}
	if err := r.remove(ctx); err != nil {
		return err
	}
	if o.json {
		return r.printJSON(p)
	}
	fmt.Fprintln(p.stdout, o.speak.Text("Followup was removed."))
	return r.printNotes(p)
}

// inUse says that other programs use the inbox.
func (r *remains) inUse() string {
	return r.speak.Text(uninstallInUse, r.speak.Count(r.clients, "{0} program", "{0} programs"))
}

// lookAtRemains finds everything that Followup has written for the user. It changes nothing.
func lookAtRemains(ctx context.Context, p process, o uninstallOptions) (*remains, error) {
	m, err := connectMachine(p.env, false)
	if err != nil {
		return nil, err
	}
	r := &remains{m: m, link: m.Link(), speak: o.speak}
	if err := r.findAgents(); err != nil {
		return nil, err
	}
	r.add(m.Files(), "The program that agents start, and its plugins")
	r.add(m.RecordFiles(), "The agents' files as they were before, for disconnecting")
	r.folders = append(r.folders, filepath.Dir(m.Program()), filepath.Join(m.Person, "agents"))
	places, _ := filepath.Glob(filepath.Join(m.Person, "databases", "*"))
	for _, folder := range places {
		if err := r.findKeeper(ctx, folder); err != nil {
			return nil, err
		}
	}
	r.folders = append(r.folders, filepath.Join(m.Person, "databases"))
	storage, err := readStorageFolder(o.storage, p.env)
	var absent noFolder
	switch {
	case errors.As(err, &absent):
		r.note("There is no folder {0}. Check --storage and FOLLOWUP_STORAGE; the first question creates it.", string(absent))
		storage = m.Person
	case err != nil:
		return nil, err
	}
	for _, folder := range slices.Compact([]string{storage, m.Person}) {
		if err := r.findStorage(ctx, folder, o.keepHistory); err != nil {
			return nil, err
		}
	}
	if elsewhere := (person.Machine{Env: p.env}).Elsewhere(); elsewhere != "" {
		r.add([]string{elsewhere}, "The link to the folder above")
		r.folders = append(r.folders, filepath.Dir(elsewhere))
	}
	for _, folder := range imagefile.All() {
		images, _ := filepath.Glob(filepath.Join(folder, "*"))
		r.add(images, "Images of answers, for agents to read")
		r.folders = append(r.folders, folder)
	}
	if r.clients > 0 {
		r.notes = append(r.notes, r.inUse())
	}
	r.findForeign()
	r.findPackages()
	return r, nil
}

// findAgents plans to disconnect all agents. An agent whose configuration is broken prevents that, if it is connected.
func (r *remains) findAgents() error {
	for _, a := range connect.Agents() {
		s := r.m.Look(a)
		result, err := disconnectAgent(connectOptions{dryRun: true, speak: r.speak}, r.m, s)
		switch {
		case err != nil && r.m.Recorded(a):
			return errors.New(r.speak.Text(uninstallBlocked, a.Name, inWords(err, r.speak)))
		case err == nil && len(result.planned) > 0:
			r.agents, r.results = append(r.agents, s), append(r.results, result)
		}
		r.add(r.m.Backups(a), "A copy of the original, which may contain secrets")
	}
	return nil
}

// findStorage finds what is in a storage folder. Of a database, only its keeper's folder belongs to this user's account.
func (r *remains) findStorage(ctx context.Context, place string, keepHistory bool) error {
	if store.IsDatabase(place) {
		r.note("The questions in the database {0} stay.", store.Redacted(place))
		return nil
	}
	if info, err := os.Stat(filepath.Join(place, "teams")); err == nil && info.IsDir() {
		return wrongUsage("%s is a hub's storage, which this command does not remove", place)
	}
	if keepHistory {
		r.kept = append(r.kept, sqlite.Files(place)...)
	} else {
		r.add(sqlite.Files(place), "Your questions and answers")
	}
	devices := devicesFile(place)
	r.add([]string{devices, filepath.Join(place, httpapi.TokenFile)}, "The browsers that may open the inbox, and the token of the API")
	return r.findKeeper(ctx, place)
}

// findKeeper finds a keeper and its files.
func (r *remains) findKeeper(ctx context.Context, folder string) error {
	client := keeper.Client{Folder: folder, Build: thisBuild(), Log: zap.NewNop()}
	if client.Running() {
		clients, err := clientsOf(ctx, client)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, keeper.ErrHangs) {
			return err
		}
		r.keepers = append(r.keepers, client)
		r.clients += clients
	}
	r.add(keeper.Files(folder), "Files of the process that keeps the inbox")
	if info, err := keeper.ReadInfo(folder); err == nil && isSocket(info.Socket) { // whatever a file says, no other kind of file goes
		r.add([]string{info.Socket}, "Files of the process that keeps the inbox")
		if other := filepath.Dir(info.Socket); other != folder {
			r.shared = append(r.shared, other)
		}
	}
	r.folders = append(r.folders, folder)
	return nil
}

func isSocket(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSocket != 0
}

// leaving is how long a program that has just ended may count as a client of the keeper.
const leaving = time.Second

// clientsOf returns how many programs use a keeper.
func clientsOf(ctx context.Context, client keeper.Client) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, keeper.Patience())
	defer cancel()
	for since := time.Now(); ; {
		info, err := client.Status(ctx)
		if err != nil || info.Clients == 0 || time.Since(since) > leaving {
			return info.Clients, err
		}
		select {
		case <-time.After(leaving / 50):
		case <-ctx.Done():
			return info.Clients, context.Cause(ctx)
		}
	}
}

// add adds those of the paths that exist.
func (r *remains) add(paths []string, what locale.Key) {
	for _, path := range paths {
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		folder, name := filepath.Split(path)
		folder = filepath.Clean(folder)
		i := slices.IndexFunc(r.groups, func(f ownFiles) bool { return f.folder == folder && f.what == what })
		if i < 0 {
			i, r.groups = len(r.groups), append(r.groups, ownFiles{folder: folder, what: what})
		}
		if !slices.Contains(r.groups[i].names, name) {
			r.groups[i].names = append(r.groups[i].names, name)
		}
	}
}

func (r *remains) note(key locale.Key, args ...any) {
	r.notes = append(r.notes, r.speak.Text(key, args...))
}

// paths returns all files to remove.
func (r *remains) paths() (paths []string) {
	for _, group := range r.groups {
		paths = append(paths, group.paths()...)
	}
	return paths
}

// findForeign finds what stays in Followup's folders.
func (r *remains) findForeign() {
	ours := slices.Concat(r.paths(), r.kept)
	for _, folder := range r.folders {
		entries, _ := os.ReadDir(folder)
		for _, entry := range entries {
			path := filepath.Join(folder, entry.Name())
			if !slices.Contains(ours, path) && !slices.Contains(r.folders, path) {
				r.note(uninstallForeign, path)
			}
		}
	}
	var folders []string
	for _, path := range r.kept {
		folders = append(folders, filepath.Dir(path))
	}
	for _, folder := range slices.Compact(folders) {
		r.note("{0} stays, with your questions and answers.", folder)
	}
}

// findPackages finds programs and extensions that only their own managers can remove.
func (r *remains) findPackages() {
	self, _ := os.Executable()
	var programs []string
	for _, name := range []string{self, r.link.Other} {
		if name == "" {
			continue
		}
		if real, err := filepath.EvalSymlinks(name); err == nil {
			name = real
		}
		if !slices.Contains(programs, name) && !slices.Contains(r.paths(), name) && !connect.IsUnpacked(name) {
			programs = append(programs, name)
		}
	}
	for _, name := range programs {
		if command := packageCommand(name); command != "" {
			r.note(uninstallPackage, name, command)
		} else {
			r.note("{0} was installed in another way, and stays. Delete it if you do not need it.", name)
		}
	}
	for _, pattern := range []string{".*/extensions/*.followup-*", ".local/share/code-server/extensions/*.followup-*"} {
		found, _ := filepath.Glob(filepath.Join(r.m.Home, filepath.FromSlash(pattern)))
		for _, folder := range found {
			r.note("{0} is an editor's extension. Uninstall it in that editor; otherwise it installs the program again.", folder)
		}
	}
}

// packageCommand returns the command that removes the package of a program; empty if it is in none.
func packageCommand(program string) string {
	slashed := filepath.ToSlash(program)
	exists := func(name string) bool { _, err := os.Stat(name); return err == nil }
	switch {
	case strings.Contains(slashed, "/node_modules/followup"):
		return "npm uninstall --global followup"
	case strings.Contains(slashed, "/Caskroom/"):
		return "brew uninstall --cask followup"
	case strings.Contains(slashed, "/scoop/apps/"):
		return "scoop uninstall followup"
	case slashed == "/usr/bin/followup" && exists("/var/lib/dpkg/info/followup.list"):
		return "sudo apt remove followup"
	case slashed == "/usr/bin/followup" && (exists("/var/lib/rpm") || exists("/usr/lib/sysimage/rpm")):
		return "sudo rpm --erase followup"
	}
	return ""
}

// review returns what is removed, as connect's review does.
func (r *remains) review() review {
	link := linkKept
	if r.link.State == connect.LinkOurs {
		link = linkRemoved
	}
	shown := newReview(r.m, r.results, link, r.speak)
	for _, group := range r.groups {
		shown.items = append(shown.items, protocol.GuideItem{
			Label: shortName(r.m, group.folder), Description: strings.Join(group.names, ", "), Icon: iconRemoved, Detail: r.speak.Text(group.what),
		})
	}
	for _, client := range r.keepers {
		pid := "?"
		if info, err := keeper.ReadInfo(client.Folder); err == nil {
			pid = strconv.Itoa(info.PID)
		}
		shown.items = append(shown.items, protocol.GuideItem{
			Label: r.speak.Text("process {0}", pid), Icon: iconRemoved, Detail: r.speak.Text("The process that keeps the inbox in {0}", shortName(r.m, client.Folder)),
		})
	}
	return shown
}

// remove removes everything. The agents are the first, so that none starts the program again.
func (r *remains) remove(ctx context.Context) error {
	for _, s := range r.agents {
		if _, err := disconnectAgent(connectOptions{speak: r.speak}, r.m, s); err != nil {
			return errors.New(r.speak.Text(uninstallBlocked, s.Name, inWords(err, r.speak)))
		}
	}
	for _, client := range r.keepers {
		if err := stopKeeperOf(ctx, client); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	failed := r.m.RemoveLink()
	// Disconnecting has locked the records, and a keeper may have written its last lines.
	paths := slices.Concat(r.paths(), r.m.RecordFiles())
	for _, client := range r.keepers {
		paths = append(paths, keeper.Files(client.Folder)...)
	}
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	for _, folder := range slices.Concat(r.folders, r.shared) {
		if info, err := os.Lstat(folder); err == nil && info.IsDir() {
			_ = os.Remove(folder) // fails if it has other files
		}
	}
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil && failed == nil {
			failed = errors.New(r.speak.Text("{0} was written again: another program still uses Followup. Close it, then try again.", path))
		}
	}
	return failed
}

func (r *remains) printNotes(p process) error {
	for _, note := range r.notes {
		if _, err := fmt.Fprintln(p.stdout, note); err != nil {
			return err
		}
	}
	return nil
}

// printJSON prints what is or would be removed.
func (r *remains) printJSON(p process) error {
	results := r.results
	if results == nil {
		results = []*connectResult{}
	}
	removed := append([]string{}, r.paths()...)
	if r.link.State == connect.LinkOurs {
		removed = append(removed, r.link.Name)
	}
	return printJSON(p.stdout, map[string]any{
		"results": results, "removed": removed, "clients": r.clients, "notes": append([]string{}, r.notes...),
	})
}
