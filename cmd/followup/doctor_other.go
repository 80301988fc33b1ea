//go:build !linux

package main

// lockHolder returns 0: only Linux lists the holders of file locks.
func lockHolder(string, int) (program string, pid int) { return "", 0 }
