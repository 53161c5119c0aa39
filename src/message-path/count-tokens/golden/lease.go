// Package lease hands out short-lived locks that survive the loss of one server.
package lease

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

var (
	ErrTaken   = errors.New("lease: held by another owner")
	ErrExpired = errors.New("lease: expired before it was renewed")
)

type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

type entry struct {
	owner   string
	until   time.Time
	version uint64
}

// Table is safe for concurrent use.
type Table struct {
	mu      sync.Mutex
	clock   Clock
	entries map[string]*entry
	ttl     time.Duration
}

func NewTable(clock Clock, ttl time.Duration) *Table {
	return &Table{clock: clock, ttl: ttl, entries: make(map[string]*entry)}
}

func (t *Table) Acquire(ctx context.Context, name, owner string) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("acquire %q: %w", name, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()

	now := t.clock.Now()
	e, ok := t.entries[name]
	if ok && e.owner != owner && now.Before(e.until) {
		return 0, ErrTaken
	}
	if !ok {
		e = &entry{}
		t.entries[name] = e
	}
	e.owner, e.until = owner, now.Add(t.ttl)
	e.version++
	return e.version, nil
}

func (t *Table) Renew(name, owner string, version uint64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.entries[name]
	switch {
	case !ok, e.version != version:
		return ErrExpired
	case e.owner != owner:
		return ErrTaken
	}
	e.until = t.clock.Now().Add(t.ttl)
	return nil
}

// KeepAlive renews until the context ends or the lease is lost; the returned channel is closed in either case.
func (t *Table) KeepAlive(ctx context.Context, name, owner string, version uint64) <-chan error {
	lost := make(chan error, 1)
	go func() {
		defer close(lost)
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.clock.After(t.ttl / 3):
				if err := t.Renew(name, owner, version); err != nil {
					lost <- fmt.Errorf("keep alive %q (version %d): %w", name, version, err)
					return
				}
			}
		}
	}()
	return lost
}
