/** A small file to try uploads with. Populations are those of the census of 2020. */
export const SAMPLE = `name,lat,lon,population
Quezon City,14.6488,121.0509,2960048
City of Manila,14.5904,120.9804,1846513
Davao City,7.0731,125.6128,1776949
Zamboanga City,6.9214,122.0790,977234
Cebu City,10.2931,123.9016,964169
Iloilo City,10.6969,122.5644,457626
City of Baguio,16.4119,120.5934,366358
`;
