import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.MatchApi;
import org.openapitools.client.api.ProvincesApi;
import org.openapitools.client.api.RegionsApi;
import org.openapitools.client.model.Error;
import org.openapitools.client.model.MatchRequest;
import org.openapitools.client.model.MatchRow;
import org.openapitools.client.model.MatchRowId;
import org.openapitools.client.model.Region;

/** What a program does with the client of openapi-generator for Java. Prints what it found. */
public class Calls {
  static JsonElement written(List<?> values) {
    JsonArray array = new JsonArray();
    for (Object value : values) array.add(JSON.getGson().toJsonTree(value));
    return array;
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("BASE"));
    client.setBearerToken(System.getenv("API_KEY"));
    ProvincesApi provinces = new ProvincesApi(client);
    JsonObject found = new JsonObject();

    List<Region> regions = new ArrayList<>();
    for (Integer page = 1; page != null; ) {
      var answer = new RegionsApi(client)
          .listRegions(page, 7, null, null, null, null, null, null, null, null, null, null, null);
      regions.addAll(answer.getData());
      page = answer.getMeta().getNext();
    }
    found.add("regions", written(regions));

    var record = provinces.getProvince("0702200000", null, null, "simple", null);
    found.add("province", JsonParser.parseString(record.getData().toJson()));

    MatchRequest request = new MatchRequest()
        .addRowsItem(new MatchRow().id(new MatchRowId(7.0)).province("Cebu"))
        .addRowsItem(new MatchRow().id(new MatchRowId("b")).text("Brgy. Poblacion, Makati"));
    var matched = new MatchApi(client).matchPlaces(request, null, null, null, null, null, null, null, null, null);
    found.add("matched", written(matched.getData()));

    try {
      provinces.getProvince("0799900000", null, null, null, null);
    } catch (ApiException failure) {
      found.addProperty("status", failure.getCode());
      found.add("error", JsonParser.parseString(Error.fromJson(failure.getResponseBody()).toJson()));
    }
    System.out.println(found);
  }
}
