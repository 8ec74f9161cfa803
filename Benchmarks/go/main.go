// What a Go program does for the same requests with net/http: goroutines that share one HTTP/2 transport, each with
// one request in flight.
// Usage: bench-go URL CA-FILE HTTP-VERSION IN-FLIGHT SECONDS BODY-FILE [DEVICES [HEADER-FILE URL-FILE]]; the version
// must be 2. With the last two files, it sends a push to each URL in turn.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/net/http2"
)

const (
	warmUp        = 300 * time.Millisecond
	authorization = "Basic MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3OnNlY3JldHNlY3JldHNlY3JldHNlY3I="
	// Older provider tokens would be signed again.
	tokenLife = 50 * time.Minute
)

type reply struct {
	MessageID string `json:"msg_id"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench-go:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) < 6 || arguments[2] != "2" {
		return errors.New("usage: bench-go URL CA-FILE 2 IN-FLIGHT SECONDS BODY-FILE [DEVICES [HEADER-FILE URL-FILE]]")
	}
	url := arguments[0]
	client, err := newClient(arguments[1])
	if err != nil {
		return err
	}
	inFlight, err := strconv.Atoi(arguments[3])
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseFloat(arguments[4], 64)
	if err != nil {
		return err
	}
	body, err := os.ReadFile(arguments[5])
	if err != nil {
		return err
	}
	one := func() error { return send(client, url, body) }
	if len(arguments) >= 9 {
		pushes, err := newPushes(client, body, arguments[7], arguments[8])
		if err != nil {
			return err
		}
		one = pushes.send
	}
	// Until the transport knows the limit of the server, it takes 100 streams for it and may open more connections.
	// One request before the others lets it know.
	if err := one(); err != nil {
		return err
	}

	var finished atomic.Int64
	var isOver atomic.Bool
	var workers sync.WaitGroup
	for index := 0; index < inFlight; index++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for !isOver.Load() {
				if err := one(); err != nil {
					fmt.Fprintln(os.Stderr, "bench-go:", err)
					os.Exit(1)
				}
				finished.Add(1)
			}
		}()
	}
	time.Sleep(warmUp)
	begin, used, before := time.Now(), cpu(), finished.Load()
	time.Sleep(time.Duration(seconds * float64(time.Second)))
	elapsed, total, after := time.Since(begin), cpu()-used, finished.Load()
	peak := peakKB()
	isOver.Store(true)
	workers.Wait()
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"requests": after - before, "seconds": elapsed.Seconds(), "cpu": total.Seconds(), "peakKB": peak,
	})
}

func newClient(caFile string) (*http.Client, error) {
	certificate, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(certificate) {
		return nil, errors.New("no certificate in " + caFile)
	}
	transport := &http2.Transport{
		TLSClientConfig: &tls.Config{RootCAs: authorities},
		ReadIdleTimeout: 15 * time.Second,
	}
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}, nil
}

func send(client *http.Client, url string, body []byte) error {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", authorization)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	var decoded reply
	if err := json.Unmarshal(answer, &decoded); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK || decoded.MessageID == "" {
		return fmt.Errorf("the server answered %d with %q", response.StatusCode, answer)
	}
	return nil
}

// What Go's libraries for APNs do for each push: a request of its own with its header fields, a look at the age of the
// provider token behind a lock, a new id, and a reader of JSON for the body of the answer. They sign only when the
// token is too old, which it never is here.

type field struct {
	name, value string
}

type refusal struct {
	Reason    string `json:"reason"`
	Timestamp int64  `json:"timestamp"`
}

type providerToken struct {
	sync.Mutex
	text   string
	issued time.Time
}

func (token *providerToken) current() (string, error) {
	token.Lock()
	defer token.Unlock()
	if time.Since(token.issued) >= tokenLife {
		return "", errors.New("the provider token is too old")
	}
	return token.text, nil
}

type pushes struct {
	client *http.Client
	body   []byte
	fields []field
	token  providerToken
	urls   []string
	next   atomic.Uint64
}

// The header file has a field on each line, the other one an address.
func newPushes(client *http.Client, body []byte, headerFile, urlFile string) (*pushes, error) {
	header, err := lines(headerFile)
	if err != nil {
		return nil, err
	}
	urls, err := lines(urlFile)
	if err != nil {
		return nil, err
	}
	result := &pushes{client: client, body: body, urls: urls}
	for _, line := range header {
		name, value, found := strings.Cut(line, ": ")
		switch {
		case !found:
			return nil, fmt.Errorf("no header field: %q", line)
		case name == "authorization":
			result.token.text = strings.TrimPrefix(value, "bearer ")
			result.token.issued = time.Now()
		case name != "apns-id":
			result.fields = append(result.fields, field{name, value})
		}
	}
	if result.token.text == "" || len(urls) == 0 {
		return nil, errors.New("the files have no provider token or no address")
	}
	return result, nil
}

func (all *pushes) send() error {
	number := all.next.Add(1) - 1
	url := all.urls[number%uint64(len(all.urls))]
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(all.body))
	if err != nil {
		return err
	}
	token, err := all.token.current()
	if err != nil {
		return err
	}
	request.Header.Set("authorization", "bearer "+token)
	for _, field := range all.fields {
		request.Header.Set(field.name, field.value)
	}
	request.Header.Set("apns-id", newID())
	response, err := all.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var reason refusal
	if err := json.NewDecoder(response.Body).Decode(&reason); err != nil && err != io.EOF {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %d with %q", response.StatusCode, reason.Reason)
	}
	return nil
}

// A random UUID as text.
func newID() string {
	const digits = "0123456789abcdef"
	var id [36]byte
	var bits uint64
	for index := range id {
		if index%18 == 0 {
			bits = rand.Uint64()
		}
		switch index {
		case 8, 13, 18, 23:
			id[index] = '-'
		default:
			id[index] = digits[bits&15]
			bits >>= 4
		}
	}
	return string(id[:])
}

func lines(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n"), nil
}

// The CPU of all threads, in user and kernel mode.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Not from getrusage: that also counts what the parent process held before this program began.
func peakKB() int {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmHWM:" {
			kb, _ := strconv.Atoi(fields[1])
			return kb
		}
	}
	return 0
}
