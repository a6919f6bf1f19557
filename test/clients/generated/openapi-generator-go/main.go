// What a program does with the client of openapi-generator for Go. Prints what it found.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"example/psgc"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	open := context.Background()
	keyed := context.WithValue(open, psgc.ContextAccessToken, os.Getenv("API_KEY"))
	configuration := psgc.NewConfiguration()
	configuration.Servers = psgc.ServerConfigurations{{URL: os.Getenv("BASE")}}
	client := psgc.NewAPIClient(configuration)

	var regions []psgc.Region
	for page := int32(1); page != 0; {
		answer, _, err := client.RegionsAPI.ListRegions(open).Page(page).Limit(7).Execute()
		check(err)
		regions = append(regions, answer.Data...)
		page = answer.Meta.GetNext()
	}

	record, _, err := client.ProvincesAPI.GetProvince(keyed, "0702200000").Geometry("simple").Execute()
	check(err)

	number, text := float64(7), "b"
	cebu, makati := psgc.NewMatchRow(), psgc.NewMatchRow()
	cebu.SetId(psgc.MatchRowId{Float64: &number})
	cebu.SetProvince("Cebu")
	makati.SetId(psgc.MatchRowId{String: &text})
	makati.SetText("Brgy. Poblacion, Makati")
	request := psgc.NewMatchRequest([]psgc.MatchRow{*cebu, *makati})
	matched, _, err := client.MatchAPI.MatchPlaces(open).MatchRequest(*request).Execute()
	check(err)

	_, missing, err := client.ProvincesAPI.GetProvince(open, "0799900000").Execute()
	var failure *psgc.GenericOpenAPIError
	if !errors.As(err, &failure) {
		log.Fatal(err)
	}

	found, err := json.Marshal(map[string]any{
		"regions":  regions,
		"province": record.Data,
		"matched":  matched.Data,
		"status":   missing.StatusCode,
		"error":    failure.Model(),
	})
	check(err)
	fmt.Println(string(found))
}
