// Answers every request with a few bytes: the least that a Knative Service can be.
package main

import (
	"net/http"
	"os"
)

func main() {
	answer := func(to http.ResponseWriter, _ *http.Request) { to.Write([]byte("{}")) }
	panic(http.ListenAndServe(":"+os.Getenv("PORT"), http.HandlerFunc(answer)))
}
