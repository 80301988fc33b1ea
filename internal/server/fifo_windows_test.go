package server_test

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
