# Reads files with sf and prints a line for each: the area in square degrees, then the codes of its rows.
suppressMessages(library(sf))
sf_use_s2(FALSE)
for (address in commandArgs(trailingOnly = TRUE)) {
  layer <- st_read(address, quiet = TRUE)
  area <- sum(as.numeric(st_area(st_set_crs(st_geometry(layer), NA))))
  cat(sprintf("%.12f", area), layer$code)
  cat("\n")
}
