// What a program does with the client of oapi-codegen. Prints what it found.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"example/psgc"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func withKey(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
	return nil
}

func main() {
	ctx := context.Background()
	open := must(psgc.NewClientWithResponses(os.Getenv("BASE")))
	keyed := must(psgc.NewClientWithResponses(os.Getenv("BASE"), psgc.WithRequestEditorFn(withKey)))

	var regions []psgc.Region
	limit := 7
	for page := 1; page != 0; {
		answer := must(open.ListRegionsWithResponse(ctx, &psgc.ListRegionsParams{Page: &page, Limit: &limit}))
		regions = append(regions, answer.JSON200.Data...)
		page = 0
		if next := answer.JSON200.Meta.Next; next != nil {
			page = *next
		}
	}

	geometry := psgc.GetProvinceParamsGeometrySimple
	record := must(keyed.GetProvinceWithResponse(ctx, "0702200000", &psgc.GetProvinceParams{Geometry: &geometry}))

	var number, text psgc.MatchRow_Id
	must(0, number.FromMatchRowId1(7))
	must(0, text.FromMatchRowId0("b"))
	cebu, makati := "Cebu", "Brgy. Poblacion, Makati"
	rows := []psgc.MatchRow{{Id: &number, Province: &cebu}, {Id: &text, Text: &makati}}
	matched := must(open.MatchPlacesWithResponse(ctx, nil, psgc.MatchRequest{Rows: rows}))

	missing := must(open.GetProvinceWithResponse(ctx, "0799900000", nil))

	fmt.Println(string(must(json.Marshal(map[string]any{
		"regions":  regions,
		"province": record.JSON200.Data,
		"matched":  matched.JSON200.Data,
		"status":   missing.StatusCode(),
		"error":    missing.JSON404,
	}))))
}
